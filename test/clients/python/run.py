"""Makes calls with a client that openapi-python-client generated.

Reads a call in JSON from each line of the input, and writes what is wrong with its response as a list. The folder of the
generated package is the only argument.
"""

import builtins
import datetime
import enum
import functools
import importlib
import inspect
import json
import pathlib
import ssl
import sys
import types
import typing
import uuid
from io import BytesIO

import attrs
from openapi_python_client.strings import PythonIdentifier, snake_case

folder = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(folder.parent))
package = importlib.import_module(folder.name)
kinds = importlib.import_module(f"{folder.name}.types")
# The generator (0.29.1) forgets to import it in operations whose body has several types.
builtins.Unset = kinds.Unset
# Made once: each client would read all certificates.
certificates = ssl.create_default_context()
modules = {path.stem: f"{folder.name}.api.{path.parent.name}.{path.stem}" for path in folder.glob("api/*/*.py")}


def converted(value, wanted):
    """Returns a value of JSON as the type of a parameter."""
    if wanted is typing.Any or isinstance(wanted, typing.TypeVar):
        return value
    origin = typing.get_origin(wanted)
    if origin in (typing.Union, types.UnionType):
        for option in typing.get_args(wanted):
            if option not in (kinds.Unset, type(None)):
                try:
                    return converted(value, option)
                except (TypeError, ValueError, KeyError, AttributeError):
                    continue
        raise ValueError(f"{value!r} is none of {wanted}")
    if origin is list:
        return [converted(item, typing.get_args(wanted)[0]) for item in value]
    if wanted is uuid.UUID:
        return uuid.UUID(value)
    if wanted is datetime.datetime:
        return datetime.datetime.fromisoformat(value)
    if inspect.isclass(wanted) and issubclass(wanted, enum.Enum):
        return wanted(value)
    if hasattr(wanted, "from_dict"):
        return wanted.from_dict(value)
    if wanted is kinds.File:
        return kinds.File(BytesIO(json.dumps(value).encode()))
    if isinstance(value, wanted) or (wanted is float and isinstance(value, int)):
        return value
    raise ValueError(f"{value!r} is no {wanted}")


def form_of(form, wanted):
    """Returns the fields of a form, with its file."""
    options = typing.get_args(wanted) or (wanted,)
    model = next(option for option in options if hasattr(option, "to_multipart"))
    fields = typing.get_type_hints(model, vars(sys.modules[model.__module__]) | {"UUID": uuid.UUID})
    values = {PythonIdentifier(name, "field_"): value for name, value in form.items() if name != "file"}
    file = kinds.File(BytesIO(form["file"].encode()), "material.csv", "text/csv")
    return model(file=file, **{name: converted(value, fields[name]) for name, value in values.items()})


def parameters(call, signature):
    given = {**call["path"], **call["query"], **call["parameterHeaders"]}
    named = {PythonIdentifier(name, "field_"): value for name, value in given.items()}
    unknown = named.keys() - signature.parameters.keys()
    if unknown:
        raise KeyError(f"the client has no parameter {unknown}")
    values = {name: converted(value, signature.parameters[name].annotation) for name, value in named.items()}
    if call["form"] is not None:
        values["body"] = form_of(call["form"], signature.parameters["body"].annotation)
    elif call["body"] is not None:
        values["body"] = converted(call["body"], signature.parameters["body"].annotation)
    return values


def comparable(value):
    """Returns a value of JSON with times in one form."""
    if isinstance(value, dict):
        return {name: comparable(member) for name, member in value.items()}
    if isinstance(value, list):
        return [comparable(item) for item in value]
    if isinstance(value, str) and value[10:11] == "T":
        try:
            return datetime.datetime.fromisoformat(value).isoformat()
        except ValueError:
            return value
    return value


def differences(parsed, value, path=""):
    if isinstance(parsed, dict) and isinstance(value, dict):
        names = {**parsed, **value}
        missing = object()
        return [
            fault
            for name in names
            for fault in differences(parsed.get(name, missing), value.get(name, missing), f"{path}/{name}")
        ]
    if isinstance(parsed, list) and isinstance(value, list) and len(parsed) == len(value):
        return [
            fault for i, pair in enumerate(zip(parsed, value)) for fault in differences(*pair, f"{path}/{i}")
        ]
    return [] if parsed == value else [f"{path}: {value!r} is parsed as {parsed!r}"]


def unknown_fields(model, path=""):
    """Returns the fields that the document does not name."""
    if isinstance(model, list):
        return [fault for i, item in enumerate(model) for fault in unknown_fields(item, f"{path}/{i}")]
    if not attrs.has(type(model)):
        return []
    faults = []
    own = [field.name for field in attrs.fields(type(model)) if field.name != "additional_properties"]
    extra = getattr(model, "additional_properties", {})
    # A model without fields of its own is a map.
    if own and not is_open(type(model)):
        faults += [f"{path}/{name} is not in the document" for name in extra]
    for name, value in [*((name, getattr(model, name)) for name in own), *extra.items()]:
        faults += unknown_fields(value, f"{path}/{name}")
    return faults


@functools.cache
def is_open(model):
    """Reports whether the document allows further fields in a model."""
    return "additional_properties: dict[str, Any]" not in inspect.getsource(model)


def faults_of(call):
    module = importlib.import_module(modules[snake_case(call["operationId"])])
    client = package.Client(
        base_url=call["url"],
        headers=call["otherHeaders"],
        raise_on_unexpected_status=True,
        timeout=20,
        verify_ssl=certificates,
    )
    values = parameters(call, inspect.signature(module.sync_detailed))
    if call["isStream"]:
        request = module._get_kwargs(**values)
        with client.get_httpx_client().stream(**request) as response:
            return [] if response.status_code == call["status"] else [f"status {response.status_code}"]
    response = module.sync_detailed(client=client, **values)
    if response.status_code != call["status"]:
        return [f"status {response.status_code}: {response.content[:500]!r}"]
    if not response.headers.get("content-type", "").startswith("application/json"):
        return []
    if not hasattr(response.parsed, "to_dict"):
        return [f"the response is parsed as {type(response.parsed)}"]
    value = json.loads(response.content)
    return unknown_fields(response.parsed) + differences(
        comparable(response.parsed.to_dict()), comparable(value)
    )


for line in sys.stdin:
    try:
        faults = faults_of(json.loads(line))
    except Exception as error:  # noqa: BLE001
        faults = [f"{type(error).__name__}: {error}"]
    print(json.dumps(faults), flush=True)
