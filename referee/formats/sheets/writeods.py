"""Energy forms as ODS workbooks, for LibreOffice: the same rows, formulas, colours and locks as the XLSX ones."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from html import escape

from referee.formats.sheets.ownform import BALANCE, WRITTEN
from referee.formats.sheets.writeform import (
    FILLS,
    HEAD,
    HEAD_FILL,
    HEAD_INK,
    LINES_INK,
    OVER_FILL,
    OVER_INK,
    PAGE_FOOT,
    PAGE_HEAD,
    ROW_POINTS,
    BlankForm,
    plain_text,
    sheet_name,
)

KIND = "application/vnd.oasis.opendocument.spreadsheet"
_DATE = (2000, 1, 1, 0, 0, 0)
_NAMESPACES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in (
        *((name, name) for name in ("office", "style", "text", "table", "meta", "config")),
        ("fo", "xsl-fo-compatible"),
        ("number", "datastyle"),
    )
)
_NAMESPACES += (
    ' xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
_NAMESPACES += ' xmlns:loext="urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"'
_HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TOKEN = re.compile(r'("[^"]*")|([A-Z]{1,2}[0-9]+(?::[A-Z]{1,2}[0-9]+)?)|(,)')
_MIDDLE = 'style:vertical-align="middle"'
_BORDER = f'fo:border="0.5pt solid {LINES_INK.lower()}" {_MIDDLE}'
_WIDTHS = {"label": "5.6cm", "turn": "2.2cm", "notes": "6.6cm"}


def blank_form_ods(*forms: BlankForm) -> bytes:
    """The forms as one workbook, a sheet each; the same forms always make the same bytes."""
    titles: list[str] = []
    for form in forms:
        titles.append(sheet_name(form.title, titles))
    parts = {
        "mimetype": KIND,
        "content.xml": _content(forms, titles),
        "styles.xml": _STYLES,
        "settings.xml": _settings(titles),
        "meta.xml": _META,
        "META-INF/manifest.xml": _MANIFEST,
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in parts.items():
            entry = zipfile.ZipInfo(name, _DATE)
            # The kind stands first and as it is, so that a file is known by its first bytes.
            entry.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(entry, text.encode())
    return out.getvalue()


# -- the sheets --------------------------------------------------------------------------


def _content(forms: tuple[BlankForm, ...], titles: list[str]) -> str:
    named = list(zip(forms, titles, strict=True))
    overs = "".join(_over_style(n, form, title) for n, (form, title) in enumerate(named, 1))
    allowed = "".join(
        _allowed(n, form, row, title)
        for n, (form, title) in enumerate(named, 1)
        for row in range(len(form.rows))
    )
    points = sorted({ROW_POINTS, *(row.points for form in forms for row in form.rows)})
    heights = "".join(
        f'<style:style style:name="row{each}" style:family="table-row"><style:table-row-properties '
        f'style:row-height="{each}pt" style:use-optimal-row-height="false"/></style:style>'
        for each in points
    )
    tables = "".join(_table(n, form, title) for n, (form, title) in enumerate(named, 1))
    validations = f"<table:content-validations>{allowed}</table:content-validations>" if allowed else ""
    return (
        f'{_HEADER}<office:document-content {_NAMESPACES} office:version="1.3">'
        f"<office:automatic-styles>{_LOOKS}{heights}{overs}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{validations}{tables}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )


def _table(number: int, form: BlankForm, title: str) -> str:
    turns = len(form.turns)
    columns = '<table:table-column table:style-name="label" table:default-cell-style-name="Default"/>'
    if turns:
        columns += f'<table:table-column table:style-name="turn" table:number-columns-repeated="{turns}"/>'
    columns += '<table:table-column table:style-name="notes"/>'
    head = (
        f'<table:table-row table:style-name="row{ROW_POINTS}">{_text("Ship", "bold")}{_text(form.ship, "ship")}</table:table-row>'
        f'<table:table-row table:style-name="row{ROW_POINTS}">{_text("Turn", "title")}'
        + "".join(_number(Fraction(turn), "head") for turn in form.turns)
        + f"{_text('Notes', 'title')}</table:table-row>"
    )
    rows = "".join(
        f'<table:table-row table:style-name="row{each.points}">{"".join(_row(number, form, row))}</table:table-row>'
        for row, each in enumerate(form.rows)
    )
    # Labels and totals are locked without a password: nobody writes over them by a slip.
    return (
        f'<table:table table:name={_attribute(title)} table:style-name="sheet" table:protected="true">'
        '<loext:table-protection loext:select-protected-cells="true" loext:select-unprotected-cells="true"/>'
        f"{columns}{head}{rows}{_balance(number, form)}</table:table>"
    )


def _row(number: int, form: BlankForm, place: int) -> Iterator[str]:
    row = form.rows[place]
    yield _text(row.titled, f"{'total' if row.sums else 'label'}{row.part}")
    checked = f' table:content-validation-name="v{number}_{place}"'
    for column, turn in enumerate(form.turns, 1):
        figure = form.figure(place, turn)
        if form.is_sum(place, turn):
            yield _number(figure or Fraction(0), f"sum{row.part}", form.sum_formula(place, column), checked)
        elif figure is not None:
            yield _number(figure, f"figure{row.part}", more=checked)
        else:
            yield f'<table:table-cell table:style-name="figure{row.part}"{checked}/>'
    yield _text(row.note, "note") if row.note else '<table:table-cell table:style-name="note"/>'


def _balance(number: int, form: BlankForm) -> str:
    """The last row: what is over or left of each turn's energy, as it is filled in."""
    if form.spent is None or not form.turns:
        return ""
    cells = "".join(
        _text(form.balance(turn), f"balance{number}", form.balance_formula(column))
        for column, turn in enumerate(form.turns, 1)
    )
    return f'<table:table-row table:style-name="row{ROW_POINTS}">{_text(BALANCE, "bold")}{cells}</table:table-row>'


def _text(text: str, style: str, formula: str = "") -> str:
    attribute = f" table:formula={_attribute('of:=' + _in_ods(formula))}" if formula else ""
    return (
        f'<table:table-cell table:style-name="{style}" office:value-type="string"{attribute}>'
        f"<text:p>{escape(plain_text(text))}</text:p></table:table-cell>"
    )


def _number(figure: Fraction, style: str, formula: str = "", more: str = "") -> str:
    attribute = f" table:formula={_attribute('of:=' + _in_ods(formula))}" if formula else ""
    value = str(figure.numerator) if figure.denominator == 1 else repr(float(figure))
    return (
        f'<table:table-cell table:style-name="{style}" office:value-type="float" office:value="{value}"{attribute}{more}>'
        f"<text:p>{value}</text:p></table:table-cell>"
    )


def _in_ods(formula: str) -> str:
    """A formula as ODS writes it: `SUM([.B3:.B5];[.B8])`."""

    def rewritten(found: re.Match[str]) -> str:
        quoted, cells, comma = found.groups()
        if quoted:
            return str(quoted)
        return ";" if comma else f"[.{cells.replace(':', ':.')}]"

    return _TOKEN.sub(rewritten, formula)


def _allowed(number: int, form: BlankForm, place: int, title: str) -> str:
    """What may be typed into a row: energy points, up to what it may hold."""
    row = form.rows[place]
    if not form.turns:
        return ""
    bounds = "cell-content()>=0" if row.most is None else f"cell-content-is-between(0,{float(row.most):g})"
    condition = f"of:cell-content-is-decimal-number() and {bounds}"
    base = f"{_quoted(title)}.B{place + HEAD + 1}"
    help_ = (
        f'<table:help-message table:title={_attribute(row.titled)} table:display="true">'
        f"<text:p>{escape(plain_text(row.help))}</text:p></table:help-message>"
        if row.help
        else ""
    )
    return (
        f'<table:content-validation table:name="v{number}_{place}" table:condition={_attribute(condition)} '
        f'table:allow-empty-cell="true" table:base-cell-address={_attribute(base)}>{help_}'
        '<table:error-message table:message-type="stop" table:title="Energy points" table:display="true">'
        f"<text:p>{escape(row.allowed)}</text:p></table:error-message></table:content-validation>"
    )


def _quoted(title: str) -> str:
    doubled = title.replace("'", "''")
    return f"'{doubled}'"


# -- how it looks ------------------------------------------------------------------------


def _cell_style(
    name: str, cell: str, text: str = "", *, locked: bool = True, data: str = "", align: str = ""
) -> str:
    protect = "protected" if locked else "none"
    data = f' style:data-style-name="{data}"' if data else ""
    aligned = f'<style:paragraph-properties fo:text-align="{align}"/>' if align else ""
    return (
        f'<style:style style:name="{name}" style:family="table-cell" style:parent-style-name="Default"{data}>'
        f'<style:table-cell-properties style:cell-protect="{protect}" {cell}/>'
        f"{aligned}<style:text-properties {text}/></style:style>"
    )


def _over_style(number: int, form: BlankForm, title: str) -> str:
    """The look of the last row of a sheet, which is another where a turn spends more than there is."""
    cell = f"B{len(form.rows) + HEAD + 1}"
    condition = f'is-true-formula(OR(LEFT([.{cell}];4)="over";LEFT([.{cell}];4)="line"))'
    base = f"{_quoted(title)}.{cell}"
    over = (
        f'<style:map style:condition={_attribute(condition)} style:apply-style-name="over" '
        f"style:base-cell-address={_attribute(base)}/>"
    )
    return (
        f'<style:style style:name="balance{number}" style:family="table-cell" style:parent-style-name="Default">'
        f'<style:table-cell-properties style:cell-protect="protected" {_MIDDLE}/>'
        '<style:paragraph-properties fo:text-align="center"/>'
        f'<style:text-properties fo:font-style="italic" fo:font-size="9pt"/>{over}</style:style>'
    )


def _looks() -> Iterator[str]:
    for name, width in _WIDTHS.items():
        yield (
            f'<style:style style:name="{name}" style:family="table-column">'
            f'<style:table-column-properties style:column-width="{width}"/></style:style>'
        )
    yield (
        '<style:style style:name="sheet" style:family="table" style:master-page-name="Form">'
        '<style:table-properties table:display="true"/></style:style>'
    )
    yield (
        '<number:number-style style:name="N1"><number:number number:min-integer-digits="1" '
        'number:decimal-places="3" number:min-decimal-places="0"/></number:number-style>'
        # Zeros are not shown, so that a sum of nothing looks as empty as its column.
        '<number:number-style style:name="N2P0" style:volatile="true"><number:number number:min-integer-digits="1" '
        'number:decimal-places="3" number:min-decimal-places="0"/></number:number-style>'
        '<number:number-style style:name="N2P1" style:volatile="true"><number:text>-</number:text>'
        '<number:number number:min-integer-digits="1" number:decimal-places="3" number:min-decimal-places="0"/>'
        "</number:number-style>"
        '<number:number-style style:name="N2"><number:text/><style:map style:condition="value()&gt;0" '
        'style:apply-style-name="N2P0"/><style:map style:condition="value()&lt;0" style:apply-style-name="N2P1"/>'
        "</number:number-style>"
    )
    bold = 'fo:font-weight="bold"'
    head = f'fo:background-color="{HEAD_FILL.lower()}" {_MIDDLE}', f'{bold} fo:color="{HEAD_INK.lower()}"'
    yield _cell_style("bold", _MIDDLE, bold) + _cell_style("title", *head)
    yield _cell_style("head", *head, data="N1", align="center") + _cell_style("ship", _MIDDLE, locked=False)
    yield _cell_style("note", f'fo:wrap-option="wrap" {_BORDER}', locked=False)
    for part, fill in FILLS.items():
        look = f'fo:background-color="{fill.lower()}" {_BORDER}'
        yield _cell_style(f"label{part}", look) + _cell_style(f"total{part}", look, bold)
        yield _cell_style(f"figure{part}", look, locked=False, data="N1", align="center")
        yield _cell_style(f"sum{part}", look, bold, data="N2", align="center")


_LOOKS = "".join(_looks())
_STYLES = (
    f'{_HEADER}<office:document-styles {_NAMESPACES} office:version="1.3"><office:styles>'
    '<style:style style:name="Default" style:family="table-cell">'
    '<style:text-properties style:font-name="Liberation Sans" fo:font-size="10pt"/></style:style>'
    '<style:style style:name="over" style:family="table-cell" style:parent-style-name="Default">'
    f'<style:table-cell-properties fo:background-color="{OVER_FILL.lower()}"/>'
    f'<style:text-properties fo:font-weight="bold" fo:font-size="9pt" fo:color="{OVER_INK.lower()}"/></style:style>'
    "</office:styles><office:automatic-styles>"
    '<style:style style:name="big" style:family="text">'
    '<style:text-properties fo:font-size="14pt" fo:font-weight="bold"/></style:style>'
    '<style:page-layout style:name="landscape"><style:page-layout-properties fo:page-width="29.7cm" '
    'fo:page-height="21cm" style:print-orientation="landscape" fo:margin="1.3cm" '
    'style:table-centering="horizontal" style:scale-to-X="1" style:scale-to-Y="1"/>'
    '<style:header-style><style:header-footer-properties fo:min-height="1cm" fo:margin-bottom="0.4cm"/>'
    '</style:header-style><style:footer-style><style:header-footer-properties fo:min-height="0.7cm"/>'
    "</style:footer-style></style:page-layout></office:automatic-styles><office:master-styles>"
    '<style:master-page style:name="Form" style:page-layout-name="landscape"><style:header><style:region-left>'
    '<text:p><text:span text:style-name="big"><text:sheet-name>Form</text:sheet-name></text:span></text:p>'
    f"</style:region-left><style:region-right><text:p>{PAGE_HEAD}</text:p></style:region-right></style:header>"
    f"<style:footer><style:region-left><text:p>{PAGE_FOOT}</text:p></style:region-left></style:footer>"
    "</style:master-page>"
    "</office:master-styles></office:document-styles>"
)
_META = (
    f'{_HEADER}<office:document-meta {_NAMESPACES} office:version="1.3"><office:meta>'
    f"<dc:description>{WRITTEN}</dc:description></office:meta></office:document-meta>"
)
_MANIFEST = (
    f"{_HEADER}"
    '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.3">'
    f'<manifest:file-entry manifest:full-path="/" manifest:version="1.3" manifest:media-type="{KIND}"/>'
    + "".join(
        f'<manifest:file-entry manifest:full-path="{name}.xml" manifest:media-type="text/xml"/>'
        for name in ("content", "styles", "settings", "meta")
    )
    + "</manifest:manifest>"
)


def _settings(titles: list[str]) -> str:
    """The ship, the turns and the labels stay in sight."""

    def item(name: str, kind: str, value: object) -> str:
        return f'<config:config-item config:name="{name}" config:type="{kind}">{value}</config:config-item>'

    split = "".join(
        item(name, kind, value)
        for name, kind, value in (
            ("HorizontalSplitMode", "short", 2),
            ("VerticalSplitMode", "short", 2),
            ("HorizontalSplitPosition", "int", 1),
            ("VerticalSplitPosition", "int", HEAD),
            ("ActiveSplitRange", "short", 3),
            ("PositionRight", "int", 1),
            ("PositionBottom", "int", HEAD),
        )
    )
    tables = "".join(
        f"<config:config-item-map-entry config:name={_attribute(title)}>{split}</config:config-item-map-entry>"
        for title in titles
    )
    return (
        f'{_HEADER}<office:document-settings {_NAMESPACES} office:version="1.3"><office:settings>'
        '<config:config-item-set config:name="ooo:view-settings">'
        '<config:config-item-map-indexed config:name="Views"><config:config-item-map-entry>'
        f'<config:config-item-map-named config:name="Tables">{tables}</config:config-item-map-named>'
        "</config:config-item-map-entry></config:config-item-map-indexed></config:config-item-set>"
        "</office:settings></office:document-settings>"
    )


def _attribute(text: str) -> str:
    """The value of an attribute, in its quotes."""
    return f'"{escape(text)}"'
