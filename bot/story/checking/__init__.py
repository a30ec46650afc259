"""What is written freely, held against the commits it names: what is false is refused, however it is worded. Pure."""
