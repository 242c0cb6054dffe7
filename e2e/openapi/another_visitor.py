"""Gives each request another address, so that limits per address do not refuse most of them."""

import random

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):
    host = ".".join(str(random.randrange(1, 255)) for _ in range(3))
    case.headers = {**(case.headers or {}), "X-Real-IP": f"10.{host}"}
