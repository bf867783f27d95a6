"""The check of schemathesis.py for server errors: a status of 5xx is one, but for 503 with `Retry-After`, by which the server says
that it holds somebody back (the dialect of Geotrek does so after a few wrong keys, as its readers try again after 503 alone)."""

import schemathesis


@schemathesis.check
def no_server_error(ctx, response, case):
    held_back = response.status_code == 503 and "retry-after" in response.headers
    if response.status_code >= 500 and not held_back:
        raise AssertionError(f"{response.status_code}: {response.text[:400]}")
