"""The headers that every answer gets: content policy, framing, referrer, caches, and HTTPS from then on."""

from collections.abc import Iterable

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with no-referrer browsers send "Origin: null", and forms would be refused
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
FOR_HTTPS = {"Strict-Transport-Security": "max-age=31536000"}
PRIVATE = "no-store"
"""What caches are told of every answer that says nothing else: pages are somebody's own."""
OURS = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}
OURS_HTTPS = {**OURS, **{name.lower().encode(): value.encode() for name, value in FOR_HTTPS.items()}}
NOT_KEPT = ((b"cache-control", PRIVATE.encode()),)


def with_ours(said: Iterable[tuple[bytes, bytes]], ours: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those of all answers. It is done for hundreds at once, so on the bytes themselves."""
    kept = [(name, value) for name, value in said if name.lower() not in ours]
    is_cached = any(name.lower() == b"cache-control" for name, _ in kept)
    return [*kept, *ours.items(), *(() if is_cached else NOT_KEPT)]
