"""Who is who, as people say it: links, proposals, hiding and forgetting."""
