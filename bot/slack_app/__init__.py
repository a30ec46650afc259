"""What Slack delivers: how it comes in, listeners, App Home, the windows of digests, and `serve`."""
