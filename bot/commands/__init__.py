"""What the commands do: settings in, text out. Each room is loaded only by the command that needs it."""
