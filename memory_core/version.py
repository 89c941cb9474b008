"""The version, which the package, the server and the status name."""

VERSION = "0.1.0"
