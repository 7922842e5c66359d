"""What a volley will do: exact and sampled statistics of damage, by the rules of `referee volley`."""
