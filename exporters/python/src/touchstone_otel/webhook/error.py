from __future__ import annotations


class WebhookError(Exception):
    """Ends a delivery with a status other than 200. The sender reads the message."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def not_handled() -> WebhookError:
    return WebhookError(500, "The delivery could not be handled")
