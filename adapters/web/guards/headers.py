"""The headers of every answer: content policy, framing, referrer, caches, and strict HTTPS."""

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
"""The cache policy of answers that set none: pages belong to one reader."""
OURS = {name.lower().encode(): value.encode() for name, value in HEADERS.items()}
OURS_HTTPS = {**OURS, **{name.lower().encode(): value.encode() for name, value in FOR_HTTPS.items()}}
SANDBOXED = "default-src 'none'; sandbox"
"""The content policy of what came from people and is no page of ours: nothing in it runs, or loads anything."""
SANDBOX = (b"content-security-policy", SANDBOXED.encode())
NOT_KEPT = ((b"cache-control", PRIVATE.encode()),)


def with_ours(said: Iterable[tuple[bytes, bytes]], ours: dict[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """The headers of an answer with those of all answers. Hundreds are sent at once, so it works on bytes."""
    kept = [(name, value) for name, value in said if name.lower() not in ours or (name.lower(), value) == SANDBOX]
    is_cached = any(name.lower() == b"cache-control" for name, _ in kept)
    others = ours.items() if SANDBOX not in kept else (each for each in ours.items() if each[0] != SANDBOX[0])
    return [*kept, *others, *(() if is_cached else NOT_KEPT)]
