"""What can go wrong, by whose fault."""


class UsageError(Exception):
    """A request that cannot be served; the message says what to do."""


class BuildError(Exception):
    """A competitor could not build a program; the message is its last words."""


class Timeout(Exception):
    """A process ran past its limit and was ended."""
