"""What is in ``deploy/`` is read by the programs it is for, and names only what there is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from rollbook.adapters.cli.app import command_named
from tests.support.hosting.proxies import DEPLOY, Asked, ask, nginx_conf, proxy
from tests.support.needs import needed
from tests.support.processes import ROOT

EXPOSED = 2.0
"""Out of ten, as systemd counts: below it is well guarded."""
COMPOSE_KEYS = {
    *("build", "image", "command", "environment", "secrets", "networks", "depends_on", "restart", "stop_grace_period"),
    *("read_only", "tmpfs", "cap_drop", "security_opt", "healthcheck", "volumes", "shm_size", "ports"),
}
"""The keys of the compose specification that may stand in a service here."""
CONDITIONS = ("service_started", "service_healthy", "service_completed_successfully")
INSTRUCTIONS = {
    *("ARG", "FROM", "LABEL", "RUN", "WORKDIR", "COPY", "ENV", "USER", "EXPOSE"),
    *("STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"),
}


def run(*command: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env={**os.environ, **variables}
    )


def check_command(words: list[str]) -> click.Context:
    """Parse the words after ``rollbook``: the command and each option have to exist, with values that they take."""
    command, rest = command_named(words[0]), words[1:]
    if isinstance(command, click.Group):
        found = command.get_command(click.Context(command), rest[0])
        assert found is not None, words
        command, rest = found, rest[1:]
    return command.make_context(words[0], rest)


# systemd.


def service() -> list[tuple[str, str]]:
    lines = (DEPLOY / "rollbook.service").read_text(encoding="utf-8").splitlines()
    return [(name, value) for name, sign, value in (line.partition("=") for line in lines) if sign and name[0] != "#"]


def test_the_unit_is_one_that_systemd_understands_and_guards_well(tmp_path: Path) -> None:
    needed("systemd-analyze")
    unit = tmp_path / "rollbook.service"
    text = (DEPLOY / "rollbook.service").read_text(encoding="utf-8")
    unit.write_text(text.replace("/opt/rollbook/bin/rollbook", needed("true")), encoding="utf-8")
    done = run("systemd-analyze", "verify", str(unit))
    assert (done.returncode, done.stderr) == (0, "")
    said = run("systemd-analyze", "security", "--offline=true", "--no-pager", str(unit)).stdout
    if not (found := re.search(r"exposure level for rollbook.service: ([\d.]+)", said)):
        pytest.skip(f"this systemd-analyze says no level: {said[-200:]}")
    assert float(found[1]) < EXPOSED


def test_what_the_unit_starts_is_a_command_with_options_that_there_are() -> None:
    values = dict(service())
    program, *words = values["ExecStart"].split()
    assert program == "/opt/rollbook/bin/rollbook"
    example = dict(line.split("=", 1) for line in lines_of("rollbook.env.example"))
    given = [re.sub(r"\$\{(\w+)\}", lambda name: example[name[1]], word) for word in words]
    parameters = check_command(given).params
    assert (parameters["log"], parameters["public"]) == ("json", "https://table.example")
    assert parameters["proxies"] == (example["ROLLBOOK_PROXY"],)
    assert int(values["TimeoutStopSec"]) > parameters["drain"] + 5


def lines_of(name: str) -> list[str]:
    lines = (DEPLOY / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_variables_are_read_by_the_program_or_by_another_file_here() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "adapters").rglob("*.py"))
    files = {path.name: path.read_text(encoding="utf-8") for path in DEPLOY.iterdir() if path.is_file()}
    used = {name: set(re.findall(r"\$\{?(\w+)[}:\"]?", text)) for name, text in files.items()}
    set_here = {
        (name, variable)
        for name, text in files.items()
        for variable in re.findall(r"(?<![\w${])(ROLLBOOK_[A-Z_]+)\s*[=:]", text)
    }
    assert len(set_here) > 8
    for name, variable in set_here:
        is_used = any(variable in words for other, words in used.items() if other != name)
        assert f'"{variable}"' in sources or is_used, (name, variable)


# Containers.


def compose() -> dict[str, dict[str, object]]:
    needed("yaml")
    yaml = import_module("yaml")
    read: dict[str, dict[str, object]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    return read


def test_the_compose_file_starts_commands_that_there_are_and_names_only_what_is_in_it() -> None:
    read = compose()
    services: dict[str, dict] = read["services"]
    assert {"node1", "node2", "node3", "database", "migrate", "proxy"} == set(services)
    for service in services.values():
        assert set(service.get("depends_on", {})) <= set(services)
        assert set(service.get("secrets", ())) <= set(read["secrets"])
        assert set(service["networks"]) <= set(read["networks"])
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert (DEPLOY / source).exists() if source.startswith(".") else source in read["volumes"]
        if "build" in service:
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).exists()
            check_command([word.replace("${ROLLBOOK_NAME}", "table.example") for word in service["command"]])
    given = {line.partition("=")[0] for line in lines_of("compose.env.example")}
    asked = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text(encoding="utf-8")))
    assert asked == given


def test_the_compose_file_has_keys_that_compose_knows_and_times_that_it_can_read() -> None:
    read = compose()
    assert {key for key in read if not key.startswith("x-")} == {"services", "networks", "volumes", "secrets"}
    for name, service in read["services"].items():
        assert set(service) <= COMPOSE_KEYS, name
        assert ("image" in service) and set(service.get("build", ())) <= {"context", "dockerfile"}
        check = service.get("healthcheck", {})
        assert set(check) <= {"test", "interval", "timeout", "retries", "start_period", "disable"}
        times = [service.get("stop_grace_period", "1s"), *(check.get(key, "1s") for key in ("interval", "timeout"))]
        assert all(re.fullmatch(r"[1-9]\d*(ms|s|m|h)", each) for each in times), name
        assert check.get("test", ["CMD", "x"])[0] in ("CMD", "CMD-SHELL")
        for other, how in service.get("depends_on", {}).items():
            assert set(how) == {"condition"} and how["condition"] in CONDITIONS, name
            says_so = "healthcheck" in read["services"][other] or "build" in read["services"][other]
            assert says_so or how["condition"] != "service_healthy", f"{other} never says that it is healthy"
        assert service.get("restart", "no") in ("no", "always", "on-failure", "unless-stopped")
        assert all(re.fullmatch(r"\d+:\d+", port) for port in service.get("ports", ())), (
            "two ports, so no base-60 number"
        )


def test_the_recipe_of_the_container_has_instructions_that_there_are_and_ends_as_the_user_that_it_makes() -> None:
    recipe = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.split(maxsplit=1) for line in recipe.splitlines() if line.strip() and not line.startswith("#")]
    assert {word for word, _ in lines} <= INSTRUCTIONS
    made = re.findall(r"useradd --uid (\d+)", recipe)
    assert made == [text for word, text in lines if word == "USER"] and made[0] != "0"
    for word, text in lines:
        if word == "RUN":
            assert run("sh", "-n", "-c", text).returncode == 0, text
        if word == "ENTRYPOINT" or (word == "HEALTHCHECK" and "[" in text):
            assert json.loads(text[text.index("[") :])
    owned = re.findall(r"/var/[\w/]+", (DEPLOY / "Containerfile").read_text(encoding="utf-8"))
    in_memory = [text for text in compose()["services"]["node1"]["tmpfs"] if ":" in text]
    assert {text.partition(":")[0] for text in in_memory} == set(owned)
    assert all(f"uid={made[0]}" in text for text in in_memory), "the root of a node may only be read"


def test_containers_agree_about_ports_names_and_the_network_of_the_proxy() -> None:
    read = compose()
    nodes = [f"node{number}:7655" for number in (1, 2, 3)]
    assert " ".join(nodes) in (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    words = read["services"]["node1"]["command"]
    parameters = check_command([word.replace("${ROLLBOOK_NAME}", "table.example") for word in words]).params
    assert parameters["port"] == 7655
    assert parameters["proxies"] == (read["networks"]["inside"]["ipam"]["config"][0]["subnet"],)
    recipe = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    assert "EXPOSE 7655" in recipe and "http://127.0.0.1:7655/ready" in recipe


def test_docker_takes_the_compose_file(tmp_path: Path) -> None:
    docker = needed("docker")
    if run(docker, "compose", "version").returncode:
        pytest.skip("docker compose is not installed here (Debian: docker-compose-plugin, of Docker's own archive)")
    done = run(
        *(docker, "compose", "-f", str(DEPLOY / "compose.yaml"), "config", "--quiet"),
        **dict.fromkeys(("ADMINISTRATOR_PASSWORD", "OWNER_PASSWORD", "PROGRAM_PASSWORD"), "x"),
        ROLLBOOK_NAME="localhost",
    )
    assert done.returncode == 0, done.stderr


def test_the_container_is_built_from_files_that_there_are_and_from_all_that_is_installed() -> None:
    recipe = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    copied = {
        source
        for line in recipe.splitlines()
        if line.startswith("COPY ") and "--from" not in line
        for source in line.split()[1:-1]
    }
    assert all((ROOT / source).exists() for source in copied)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    linked = {path.resolve().name for path in (ROOT / "rollbook").iterdir() if path.is_symlink()}
    packed = {path.split("/")[0] for path in (*wheel["only-include"], *wheel["shared-data"])}
    wanted = {*packed - {"deploy"}, *linked, *(path for path in wheel["shared-data"] if path.startswith("deploy/"))}
    assert wanted | {"pyproject.toml", project["project"]["readme"], *project["project"]["license-files"]} == copied
    (extra,) = re.findall(r"'\.\[(\w+)\]'", recipe)
    assert extra in project["project"]["optional-dependencies"]
    (entry,) = re.findall(r'ENTRYPOINT \["(\w+)"\]', recipe)
    assert entry in project["project"]["scripts"]


# Proxies.


@pytest.fixture
def nodes() -> Iterator[list[Asked]]:
    servers = [Asked(number) for number in range(3)]
    yield servers
    for server in servers:
        server.stop()


def test_caddy_takes_its_file() -> None:
    done = run(needed("caddy"), "validate", "--adapter", "caddyfile", "--config", str(DEPLOY / "Caddyfile"))
    assert done.returncode == 0, done.stderr


def test_nginx_takes_its_file(tmp_path: Path) -> None:
    (tmp_path / "nginx.conf").write_text(nginx_conf(tmp_path, 7656, (1, 2, 3)), encoding="utf-8")
    done = run(needed("nginx"), "-t", "-c", str(tmp_path / "nginx.conf"), "-p", str(tmp_path), "-e", "stderr")
    assert done.returncode == 0, done.stderr


CAMPAIGNS = [f"campaign-{number}" for number in range(40)]
PAGES = ("", "/log", "/board", "/live?after=3")


@pytest.mark.slow
@pytest.mark.parametrize("program", ["caddy", "nginx"])
def test_a_campaign_stays_at_one_node_and_moves_only_when_that_is_gone(
    program: str, nodes: list[Asked], tmp_path: Path
) -> None:
    with proxy(program, tmp_path, [node.port for node in nodes]) as port:
        asked = {name: {ask(port, f"/c/{name}{page}") for page in PAGES} for name in CAMPAIGNS}
        assert all(len(found) == 1 and None not in found for found in asked.values()), asked
        home = {name: found.pop() for name, found in asked.items()}
        assert set(home.values()) == {0, 1, 2}
        assert len({ask(port, page) for page in ("/", "/import/7", "/job/7")}) == 1
        seen = nodes[0].headers_seen[-1]
        assert not [name for name in seen if name.lower() == "x-rollbook-campaign"]
        assert (seen["X-Forwarded-For"], seen["X-Forwarded-Proto"]) == ("127.0.0.1", "http")
        nodes[2].stop()
        for _ in range(2):
            now = {name: ask(port, f"/c/{name}") for name in CAMPAIGNS}
        assert set(now.values()) == {0, 1}, "every campaign is answered by who is left"
        assert all(now[name] == at for name, at in home.items() if at != 2), "the others stay"


def test_caddy_sends_nothing_to_a_node_that_is_not_ready(nodes: list[Asked], tmp_path: Path) -> None:
    with proxy("caddy", tmp_path, [node.port for node in nodes]) as port:
        nodes[1].is_ready = False
        end = time.monotonic() + 15
        while 1 in (asked := {ask(port, f"/c/{name}") for name in CAMPAIGNS}) and time.monotonic() < end:
            time.sleep(0.2)
        assert asked == {0, 2}
