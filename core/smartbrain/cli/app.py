"""The commands. Each reads its options, calls what does the work, and shows the answer to people or to machines."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from smartbrain.cli.library import library
from smartbrain.cli.terminal import Screen, print_json, safe
from smartbrain.errors import NotFoundError, SmartBrainError

_FAILED = 2


class _Commands(TyperGroup):
    """A group whose commands end in one line on standard error when SmartBrain raises on purpose."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except SmartBrainError as error:
            sys.stderr.write(f"error: {' '.join(safe(str(error)).split())}\n")
            raise typer.Exit(_FAILED) from error


app = typer.Typer(
    cls=_Commands,
    name="smartbrain",
    help="The memory of LLM agents: record conversations, ask what is remembered, and why.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Db = Annotated[str, typer.Option("--db", metavar="PATH", help="The store.")]
User = Annotated[
    str | None, typer.Option("--user", metavar="NAME", help="Whose memory; needed when there are several.")
]
Session = Annotated[str | None, typer.Option("--session", metavar="ID", help="Which session.")]
Config = Annotated[Path | None, typer.Option("--config", metavar="FILE", help="A brain.yml.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for a machine.")]


def run() -> None:
    """Runs the command line, on terminals of any encoding."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()


def _version(asked: bool) -> None:
    if asked:
        from smartbrain import __version__

        print(f"smartbrain {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print it.")] = False,
) -> None:
    pass


@app.command()
def demo(
    db: Annotated[Path | None, typer.Option("--db", metavar="PATH", help="Keep the demo in this store.")] = None,
    as_json: Json = False,
) -> None:
    """Watch a month of conversation being remembered, then contexts composed from it."""
    from smartbrain.cli.demo import print_demo, run_demo, show_demo

    told = run_demo(db)
    if as_json:
        print_demo(told, db)
    else:
        show_demo(told, db)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A conversations.jsonl; see the documentation.")],
    db: Db,
    limit: Annotated[int | None, typer.Option("--limit", min=1, metavar="N", help="Only the first N turns.")] = None,
    as_json: Json = False,
) -> None:
    """Commit recorded conversations: each becomes a user, with its sessions and their times.

    Replaying again adds nothing, so a replay that was interrupted is simply started again.
    """
    from smartbrain.cli.replaying import replay_file, show_replay

    done, users = replay_file(file, db, limit)
    if as_json:
        print_json({**done.as_json(), "users": users})
    else:
        show_replay(done, users, file, db)


@app.command()
def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What a user would say next.")],
    db: Db,
    user: User = None,
    session: Session = None,
    limit_tokens: Annotated[int | None, typer.Option("--limit-tokens", metavar="N", help="The token limit.")] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="As it was then: 2026-03-05, 2026-03-05T18:00.")
    ] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Compose the context for a question and show it slot by slot.

    Without --session it continues the newest session. --json prints the ContextPackage.
    """
    from smartbrain.cli.asking import compose_for, show_answer

    with _store(db, config) as (brain, storage):
        answer = compose_for(
            brain, storage, question, user=user, session=session, token_limit=limit_tokens, as_of=as_of
        )
    if as_json:
        print_json(answer.package.model_dump(mode="json"))
    else:
        show_answer(answer, db)


@app.command()
def show(
    db: Db,
    user: User = None,
    session: Session = None,
    type_name: Annotated[str | None, typer.Option("--type", metavar="TYPE", help="Only memories of this type.")] = None,
    history: Annotated[bool, typer.Option("--history", help="Superseded and retracted memories, too.")] = False,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Show who is in a store, their sessions, what is remembered, and the newest summary."""
    from smartbrain.cli.overview import look, print_views, show_views

    with _store(db, config) as (brain, storage):
        views = look(brain, storage, user, session, type_name, history=history)
    if as_json:
        print_views(views)
    else:
        show_views(views, db)


@app.command()
def why(
    name: Annotated[str, typer.Argument(metavar="ID", help="A memory, a piece of evidence, a turn or a context.")],
    db: Db,
    user: User = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Explain one thing: the words it rests on, the verdicts, its history."""
    from smartbrain.cli.explaining import explain, print_explained, show_explained

    with _store(db, config) as (brain, storage):
        found = explain(brain, storage, name, user)
    if as_json:
        print_explained(found)
    else:
        show_explained(found)


@app.command()
def forget(
    db: Db,
    user: User = None,
    session: Session = None,
    item: Annotated[
        str | None, typer.Option("--item", metavar="ID", help="One memory, with the turns that said it.")
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", metavar="TEXT", help="What a search finds, with its turns.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete it; without it, it is only counted.")] = False,
    as_json: Json = False,
) -> None:
    """Delete for good: all of a user, a session, a memory, or what a search finds.

    Without --yes it only counts what would be deleted. --json prints the ForgetReceipt.
    """
    from smartbrain.cli.forgetting import forget_for, show_receipt

    with _store(db) as (brain, storage):
        receipt = forget_for(brain, storage, user=user, session=session, item=item, query=query, yes=yes)
    if as_json:
        print_json(receipt.model_dump(mode="json"))
    else:
        show_receipt(receipt)


Scopes = Annotated[
    list[str] | None, typer.Option("--scope", metavar="DOMAIN/TYPE:ID", help="Only this scope; may be repeated.")
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]


@app.command("export")
def export_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    db: Db,
    user: User = None,
    scope: Scopes = None,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Write memory to one file: of a user, of some scopes, or all of it."""
    from smartbrain.cli.transferring import export_to, show_export

    with _store(db) as (brain, storage):
        report = export_to(brain, storage, file, user=user, scopes=scope or [], overwrite=overwrite)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        show_export(report)


@app.command("import")
def import_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An export of SmartBrain, or chats of other programs.")],
    db: Db,
    user: Annotated[
        str | None, typer.Option("--user", metavar="NAME", help="Whose memory chats become; of an export, only theirs.")
    ] = None,
    scope: Scopes = None,
    format_name: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="chatgpt, claude, openai, langchain, llamaindex, mem0."),
    ] = None,
    owner: Annotated[
        str | None, typer.Option("--owner", metavar="NAME", help="Whose chats, in a file of several people's.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Take a file into a store: an export of SmartBrain, or chats of ChatGPT, Claude and others, with their own times.

    The whole file is checked first. Importing again adds nothing, so an import that broke off is simply started again.
    """
    from smartbrain.cli.transferring import import_from, show_chats, show_import
    from smartbrain.contracts.transfers import ImportReport

    report = import_from(db, file, user=user, scopes=scope or [], format=format_name, owner=owner)
    if as_json:
        print_json(report.model_dump(mode="json"))
    elif isinstance(report, ImportReport):
        show_import(report)
    else:
        show_chats(report, db, user or "")


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    db: Db,
    overwrite: Overwrite = False,
    as_json: Json = False,
) -> None:
    """Copy the whole store to one file, as it is at one moment, while others go on writing.

    Of a SQLite store it is a store that can be opened; of a PostgreSQL store an export.
    """
    from smartbrain.cli.transferring import backup_to, show_backup

    with _store(db) as (brain, _):
        report = backup_to(brain, file, overwrite=overwrite)
    if as_json:
        print_json(report.model_dump(mode="json"))
    else:
        show_backup(report)


@app.command()
def prune(
    db: Db,
    config: Annotated[Path, typer.Option("--config", metavar="FILE", help="The brain.yml with the rules of age.")],
    user: User = None,
    session: Session = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be deleted.")] = False,
    as_json: Json = False,
) -> None:
    """Delete for good what is past its time (policies.retention.ttl): of one user, or of everybody.

    --json prints a ForgetReceipt for each.
    """
    from smartbrain.cli.pruning import prune_for, show_pruned

    told = prune_for(db, config, user=user, session=session, dry_run=dry_run)
    if as_json:
        print_json([{"owner": owner.name, **receipt.model_dump(mode="json")} for owner, receipt in told])
    else:
        show_pruned(told)


@app.command()
def changes(
    db: Db,
    since: Annotated[str, typer.Option("--since", metavar="TIME", help="From when on: 2026-03-05, 2026-03-05T18:00.")],
    until: Annotated[str | None, typer.Option("--until", metavar="TIME", help="Until when; default now.")] = None,
    user: User = None,
    session: Session = None,
    type_name: Annotated[str | None, typer.Option("--type", metavar="TYPE", help="Only memories of this type.")] = None,
    config: Config = None,
    as_json: Json = False,
) -> None:
    """Show what memory gained, lost and changed between two moments, and why.

    --json prints the MemoryChanges.
    """
    from smartbrain.cli.history import changes_for, show_changes

    with _store(db, config) as (brain, storage):
        found = changes_for(brain, storage, since=since, until=until, user=user, session=session, type_name=type_name)
    if as_json:
        print_json(found.model_dump(mode="json"))
    else:
        show_changes(found)


@app.command()
def undo(
    turn: Annotated[str, typer.Argument(metavar="TURN", help="The id of a turn.")],
    db: Db,
    user: User = None,
    session: Session = None,
    reason: Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why; it is kept.")] = None,
    as_json: Json = False,
) -> None:
    """Take back what the commit of a turn did to memory; the turn stays as it was said.

    What later turns changed is left alone, and it says why. --json prints the UndoResult.
    """
    from smartbrain.cli.history import show_undo, undo_for

    with _store(db) as (brain, storage):
        told = undo_for(brain, storage, turn, user=user, session=session, reason=reason)
    if as_json:
        print_json(told.model_dump(mode="json"))
    else:
        show_undo(told)


@app.command("eval")
def evaluate(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR…", help="Folders with conversations.jsonl and questions.jsonl.")
    ],
    mode: Annotated[
        str, typer.Option("--mode", metavar="MODE", help="default, lexical, bm25, exact, semantic, hybrid, …")
    ] = "default",
    config: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="A brain.yml.")] = None,
    noise: Annotated[
        bool, typer.Option("--noise", help="Mix 200 unrelated utterances into each conversation, where a set has them.")
    ] = False,
    noise_seed: Annotated[int, typer.Option("--noise-seed", metavar="N", help="Another seed, other noise.")] = 0,
    all_time: Annotated[
        bool, typer.Option("--all-time", help="Search what was said after the question's day, too.")
    ] = False,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="A sample of N questions a set.")
    ] = None,
    compose: Annotated[
        bool, typer.Option("--compose/--no-compose", help="Compose contexts, too, and look for the answers in them.")
    ] = True,
    misses: Annotated[int, typer.Option("--misses", min=0, metavar="N", help="Show N missed questions a set.")] = 0,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")] = None,
    plot_file: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the recall, as PNG.")] = None,
) -> None:
    """Measure retrieval on labelled conversations: recall, sessions, tokens, the answer's words, latency.

    Each set is committed to a fresh store in memory, and every question is asked as a user would ask it.
    """
    from smartbrain.cli.evaluating import EvalOptions, run_eval

    run_eval(
        EvalOptions(
            folders=folders,
            mode=mode,
            config=config,
            noise=noise,
            noise_seed=noise_seed,
            all_time=all_time,
            limit=limit,
            compose=compose,
            misses=misses,
            json_file=json_file,
            plot_file=plot_file,
        )
    )


bench = typer.Typer(help="Measure what a store can bear.", no_args_is_help=True)
app.add_typer(bench, name="bench")
app.add_typer(library)


@bench.callback()
def _bench() -> None:
    pass


@bench.command()
def load(
    url: Annotated[str, typer.Option("--url", metavar="STORE", help="A path or postgresql://…; it is written to.")],
    tenants: Annotated[int, typer.Option("--tenants", min=1, metavar="N", help="How many talk.")] = 4,
    workers: Annotated[int, typer.Option("--workers", min=1, metavar="N", help="How many at once.")] = 2,
    processes: Annotated[
        bool, typer.Option("--processes/--threads", help="Workers are processes, or threads that share a brain.")
    ] = False,
    sizes: Annotated[
        str, typer.Option("--sizes", metavar="N,N…", help="Messages in the store, of all tenants, ascending.")
    ] = "10000",
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, metavar="N", help="Commits and composes of each worker at each size.")
    ] = 100,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Another seed, other tenants and words.")] = 0,
    folder: Annotated[
        Path | None,
        typer.Option("--set", metavar="DIR", help="Talk as in this evaluation set; else words are made up."),
    ] = None,
    mode: Annotated[str, typer.Option("--mode", metavar="MODE", help="default, lexical or bm25.")] = "default",
    config: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="A brain.yml.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures as JSON.")] = None,
    plot_file: Annotated[Path | None, typer.Option("--plot", metavar="FILE", help="Draw the growth, as PNG.")] = None,
) -> None:
    """Let many tenants commit, compose and search at once, and measure it as the store grows.

    Each tenant says a word of its own, and no answer to another may show it. The exit code is 1 when one did, or when a
    call failed. A store that is filled already is gone on with.
    """
    from smartbrain.cli.benching import LoadOptions, run_bench

    options = LoadOptions(
        url=url,
        tenants=tenants,
        workers=workers,
        processes=processes,
        sizes=sizes,
        rounds=rounds,
        seed=seed,
        folder=folder,
        mode=mode,
        config=config,
        json_file=json_file,
        plot_file=plot_file,
    )
    if not run_bench(options):
        raise typer.Exit(1)


@app.command()
def schema(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A contract; without it they are listed.")
    ] = None,
) -> None:
    """Print the JSON Schema of a contract."""
    from smartbrain.contracts import CONTRACTS

    if name is None:
        screen = Screen()
        for known, contract in CONTRACTS.items():
            about = (contract.__doc__ or "").strip().partition("\n")[0].replace("``", "")
            screen.block(about, label=known, column=18, label_style="cyan")
        return
    known_as = {**CONTRACTS, **{contract.__name__: contract for contract in CONTRACTS.values()}}
    if name not in known_as:
        raise NotFoundError(f"no contract {name!r}; the contracts are {', '.join(CONTRACTS)}")
    print(json.dumps(known_as[name].model_json_schema(), indent=2))


@contextmanager
def _store(db: str, config: Path | None = None) -> Iterator[Any]:
    from smartbrain.cli.owners import opened

    with opened(db, config) as both:
        yield both
