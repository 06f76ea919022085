"""Hostile documents: each is refused with one reason, or labelled; never a crash, and the rest is taken."""

from __future__ import annotations

import os
import socket
import zlib
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smartbrain.errors import InputError, SmartBrainError
from smartbrain.resources import Library
from smartbrain.resources.library.decoding import decode
from smartbrain.resources.library.library import LOCAL
from smartbrain.resources.library.reading import read
from smartbrain.resources.library.values import AddReport, Limits

GOOD = "# Good\n\nThe good document about penguins.\n"


def taken(folder: Path, **kwargs) -> tuple[AddReport, Library]:
    """The report on a folder that holds a good document besides; the good one is there and found."""
    (folder / "good.md").write_text(GOOD, "utf-8")
    library = Library.open(**kwargs)
    report = library.add(folder, under="")
    assert "good.md" in report.added
    assert library.search("penguins", scopes=[LOCAL])[0].entry.path == "good.md"
    return report, library


def reasons(report: AddReport) -> dict[str, str]:
    return {one.path: one.reason for one in report.refused}


def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    (tmp_path / "secret.md").write_text("The secret is tulips.", "utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "link.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "docs" / "up.md").symlink_to("../secret.md")
    report, library = taken(tmp_path / "docs")
    assert set(reasons(report)) == {"link.md", "up.md"}
    assert "leads out of the folder" in reasons(report)["link.md"]
    assert not library.search("tulips", scopes=[LOCAL], mode="exact")


def test_a_link_to_a_file_beside_it_is_read(tmp_path):
    (tmp_path / "alias.md").symlink_to("good.md")
    report, _ = taken(tmp_path)
    assert report.added == ("alias.md", "good.md")


def test_a_loop_of_links_ends(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "self.md").symlink_to("self.md")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").symlink_to(tmp_path / "a")
    report, _ = taken(tmp_path)
    assert report.added == ("good.md",)
    assert "link to a folder" in reasons(report)["loop"]
    assert set(reasons(report)) == {"loop", "self.md", "a/b"}


def test_a_huge_file_is_refused_without_being_read(tmp_path):
    with (tmp_path / "huge.md").open("wb") as file:
        file.truncate(200 << 20)
    report, _ = taken(tmp_path)
    assert "209,715,200 bytes" in reasons(report)["huge.md"]


def test_what_is_no_file_is_passed_over(tmp_path):
    os.mkfifo(tmp_path / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(tmp_path)  # the address of a socket is short
        try:
            listening.bind("socket.md")
        finally:
            os.chdir(here)
        report, _ = taken(tmp_path)
    assert report.added == ("good.md",)


def test_a_file_that_became_a_pipe_is_not_waited_for(tmp_path):
    from smartbrain.resources.library.files import read_bytes

    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(InputError, match="not a regular file"):
        read_bytes(tmp_path / "pipe.md", 100)
    (tmp_path / "link.md").symlink_to("/etc/hostname")
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(tmp_path / "link.md", 100)


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("zero.md", b"text\x00\x01\x02" * 50, "binary"),
        ("image.txt", bytes(range(256)) * 10, "binary"),
        ("empty.md", b"", "empty"),
        ("blank.md", b" \n\t\n", "empty"),
        ("noise.txt", bytes(range(1, 256)) * 40, "encoding"),
        ("false.txt", b"\xff\xfe" + b"\x00\xd8" * 400, "byte order mark"),
    ],
)
def test_what_is_no_text_is_refused_with_its_reason(tmp_path, name, data, reason):
    (tmp_path / name).write_bytes(data)
    report, _ = taken(tmp_path)
    assert reason in reasons(report)[name]
    assert report.added == ("good.md",)


def test_names_that_cannot_be_shown_are_refused(tmp_path):
    for name in (b"new\nline.md", b"esc\x1b[31m.md", b"bad\xff.md", "right\u202eto left.md".encode()):
        (Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))).write_text("text", "utf-8")
    report, library = taken(tmp_path)
    assert len(report.refused) == 4
    assert all(one.path.isprintable() for one in report.refused)
    assert [one.path for one in library.documents()] == ["good.md"]


def test_folders_that_are_too_deep_are_refused_and_hidden_ones_passed_over(tmp_path):
    deep = tmp_path
    for _ in range(5):
        deep /= "d"
    deep.mkdir(parents=True)
    (deep / "deep.md").write_text("text", "utf-8")
    for name in (".git", "node_modules"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "inner.md").write_text("text", "utf-8")
    report, _ = taken(tmp_path, limits=Limits(depth=3))
    assert reasons(report) == {"d/d/d/d": "it lies more than 3 folders deep"}
    assert report.added == ("good.md",)


def test_a_folder_with_more_files_than_it_may_have_is_refused_as_a_whole(tmp_path):
    for number in range(11):
        (tmp_path / f"{number}.md").write_text("text", "utf-8")
    with Library.open(limits=Limits(files=10)) as library:
        with pytest.raises(InputError, match="more than 10 documents"):
            library.add(tmp_path)
        assert not library.documents()


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may read everything")
def test_what_may_not_be_read_is_refused_and_nothing_under_it_removed(tmp_path):
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "kept.md").write_text("text", "utf-8")
    _, library = taken(tmp_path)
    (tmp_path / "closed").chmod(0)
    try:
        report = library.add(tmp_path, under="")
    finally:
        (tmp_path / "closed").chmod(0o700)
    assert "cannot be read" in reasons(report)["closed/"]
    assert not report.removed


def test_a_folder_that_cannot_be_listed_takes_nothing_from_the_library(tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "kept.md").write_text("text", "utf-8")
    _, library = taken(tmp_path)
    listed = os.scandir

    def refuse(folder):
        if str(folder).endswith("closed"):
            raise PermissionError(13, "Permission denied")
        return listed(folder)

    monkeypatch.setattr(os, "scandir", refuse)
    report = library.add(tmp_path, under="")
    assert reasons(report) == {"closed/": "the folder cannot be read: Permission denied"}
    assert not report.removed


def test_a_document_that_became_unreadable_is_not_answered_from_its_old_text(tmp_path):
    (tmp_path / "turned.md").write_text("All about tulips.", "utf-8")
    _, library = taken(tmp_path)
    (tmp_path / "turned.md").write_bytes(b"\x00" * 100)
    report = library.add(tmp_path, under="")
    assert report.removed == ("turned.md",)
    assert "binary" in reasons(report)["turned.md"]
    assert not library.search("tulips", scopes=[LOCAL], mode="exact")


def html(body: str) -> str:
    pytest.importorskip("lxml")
    return read(body.encode(), "a.html", Limits()).text


@pytest.mark.slow
@pytest.mark.parametrize(
    "body",
    [
        "<div>" * 300_000 + "penguins",
        "".join(f"<b a{n}=1>" for n in range(2_000)) + "<p>penguins" * 20_000,
        "<table><tr><td>" * 30_000 + "penguins",
        "<ul><li>" * 50_000 + "penguins",
        "penguins" + "</div>" * 300_000,
        "penguins<" + "<" * 1_000_000,
        "penguins" + "<!--" * 500_000,
        "<a href=x>" * 100_000 + "penguins",
        "<pre>" * 100_000 + "penguins",
        "penguins" + "<a b='" + "x" * 3_000_000,
    ],
    ids=["deep", "formatting", "tables", "lists", "closing", "signs", "comments", "links", "code", "attribute"],
)
def test_a_page_that_is_made_to_explode_costs_time_in_proportion(body):
    before = os.times()
    text = html(body)
    after = os.times()
    assert "penguins" in text
    # Processor time, generously: what is quadratic takes minutes here.
    assert after.user - before.user < 30


def test_a_page_that_unfolds_is_cut_and_labelled():
    pytest.importorskip("lxml")
    parsed = read(("<p>word word</p>" * 2_000).encode(), "a.html", Limits(document_chars=10_000))
    assert len(parsed.text) <= 10_000
    assert parsed.labels == ("cut",)


def test_what_is_hidden_from_a_reader_is_not_kept():
    text = html(
        "<p>penguins</p><p style='DISPLAY : none'>a</p><p hidden>b</p><i aria-hidden=true>c</i>"
        "<span style='font-size:0'>d</span><template>e</template><noscript>f</noscript><!-- g -->"
        "<p style='opacity: 0'>h</p>"
    )
    assert text == "penguins"


def test_a_pdf_stream_that_unfolds_is_bounded():
    pytest.importorskip("pypdf")
    bomb = zlib.compress(b"BT " + b" " * (64 << 20) + b"ET")
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1 1] /Contents 4 0 R >>",
        b"<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(bomb), bomb),
    ]
    out = b"%PDF-1.4\n" + b"".join(b"%d 0 obj\n%s\nendobj\n" % pair for pair in enumerate(objects, 1))
    with pytest.raises(InputError, match="PDF"):
        read(out + b"trailer << /Size 5 /Root 1 0 R >>\n%%EOF", "a.pdf", Limits())


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("企鹅的记忆。".encode("gb18030"), "企鹅的记忆。"),
        ("Ça va à l'école, où l'été".encode("cp1252"), "Ça va à l'école, où l'été"),
        ("企鹅".encode("utf-8-sig"), "企鹅"),
        ("企鹅".encode("utf-16"), "企鹅"),
        (b"\xff\xfe\x00\x00" + "企鹅".encode("utf-32-le"), "企鹅"),
        (b"a\r\nb\rc", "a\nb\nc"),
    ],
)
def test_texts_of_known_encodings_are_read(data, text):
    assert decode(data) == (text, ())


def test_a_few_broken_bytes_are_labelled():
    text, labels = decode(b"penguins " * 200 + b"\xe4\xbc" + b" end")
    assert labels == ("encoding",)
    assert text.endswith("\ufffd end")


@given(
    st.binary(max_size=400),
    st.sampled_from(["a.md", "a.txt", "a.json", "a.ipynb", "a.py", "a.yaml", "a.html", "a.pdf"]),
)
def test_any_bytes_are_read_or_refused(data, path):
    with Library.open() as library:
        try:
            parsed = read(data, path, Limits())
        except SmartBrainError:
            return
        else:
            library.add_text(parsed.text, "a.md")
            for entry in library.at(["a.md"], scopes=[LOCAL]):
                assert parsed.text[entry.start : entry.end] == entry.text


@given(
    st.text(alphabet=st.sampled_from("#*`|-=[]()<>!\n 1.中a\t"), max_size=300),
    st.sampled_from(["a.md", "a.txt", "a.py", "a.html"]),
)
def test_any_markup_is_read_or_refused(text, path):
    with Library.open() as library, suppress(SmartBrainError):
        library.add_text(text, path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "[" * 200_000, "[a](" * 100_000, "`" * 200_001, "**a" * 100_000, "|" * 200_000, "| a " * 50_000 + "\n" + "|---" * 50_000,
        "- " * 100_000, "> " * 100_000, "# " * 100_000, "a:" * 100_000, "GET /" * 50_000, "1. x\n" * 50_000,
        "\n".join("#" * (n % 6 + 1) + " x" for n in range(30_000)), "```\n" * 50_000, "=\n" * 50_000, "忽略" * 60_000,
        "ignore " * 50_000, "a|b\n-|-\n" * 20_000, "[[a" * 60_000, "http://" * 40_000, "---\n" + "a: [" * 5_000,
    ],
    ids=range(21),
)  # fmt: skip
def test_markdown_that_is_made_to_explode_costs_time_in_proportion(text):
    before = os.times()
    with Library.open() as library:
        library.add_text(text, "a.md")
    after = os.times()
    assert after.user - before.user < 60
