"""A device for everybody who is to be shown out: whoever logs out, and whoever is removed by somebody else."""

import json

import schemathesis
from ask import ask, open_path


def log_in():
    """A new browser: its device, and its cookie by name."""
    token = ask("launches", {})["path"].split("#")[1]
    with open_path("login", {"token": token}) as answer:
        name, value = answer.headers["set-cookie"].split(";")[0].split("=", 1)
        return json.load(answer)["device"], {name: value}


def operation_id(case):
    return case.operation.definition.raw["operationId"]


@schemathesis.hook
def before_call(context, case, kwargs):
    operation = operation_id(case)
    if operation == "post_logout":
        case.cookies = {**(case.cookies or {}), **log_in()[1]}
    elif operation == "delete_devices_id":
        case.path_parameters["id"] = log_in()[0]


@schemathesis.hook
def after_call(context, case, response):
    is_known = response.status_code not in (401, 404)
    assert is_known or operation_id(case) not in ("post_logout", "delete_devices_id"), "nobody knows the new browser"
