"""Posts to channels: when one is due (`subscriptions.py`), what it holds and that it is made once (`service.py`), and
the clock that asks (`tick.py`)."""
