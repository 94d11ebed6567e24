"""Writes workbooks with the two libraries that most Python programs write Excel files with."""
import datetime
import sys

import openpyxl
import xlsxwriter

folder = sys.argv[1]


def with_openpyxl():
    book = openpyxl.Workbook()
    notes = book.active
    notes.title = "Cover"
    sheet = book.create_sheet("Cases", 0)
    sheet.append(["id", "question", "answer", "asked", "at", "count", "share", "urgent", "order", "note"])
    sheet.append(
        [
            1,
            "Capital of Peru?\nOne word.",
            "Lima",
            datetime.date(2026, 11, 28),
            datetime.datetime(2026, 11, 28, 16, 30, 5),
            12345678,
            0.1 + 0.2,
            True,
            "9007199254740993",
            " kept ",
        ]
    )
    sheet.append([None] * 10)
    sheet.append([2, "Ärger & <b>mehr</b> 😀?", "=1+1", datetime.time(9, 5), None, -1, 1e-7, False, 9007199254740993, None])
    sheet.append([3, "Merged", "below"])
    sheet.append([4, None, "no question"])
    sheet.merge_cells("B5:B6")
    sheet["F5"].number_format = "0.00%"
    sheet["F5"] = 0.5
    sheet["G5"].number_format = "000000"
    sheet["G5"] = 42
    for _ in range(3):
        sheet.append([])
    sheet.append([5, "After empty rows", "#N/A"])
    hidden = book.create_sheet("Hidden")
    hidden.append(["question", "answer"])
    hidden.append(["secret", "secret"])
    hidden.sheet_state = "hidden"
    notes.append(["Not a table"])
    book.save(f"{folder}/openpyxl.xlsx")
    first_hidden = openpyxl.Workbook()
    first = first_hidden.active
    first.title = "Old"
    first.append(["question", "answer"])
    first.append(["old", "old"])
    first.sheet_state = "hidden"
    shown = first_hidden.create_sheet("Shown")
    shown.append(["question", "answer"])
    shown.append(["new", "new"])
    first_hidden.active = 1
    first_hidden.save(f"{folder}/hidden-first.xlsx")


def with_xlsxwriter():
    for name, options in {"shared": {}, "inline": {"constant_memory": True}, "1904": {"date_1904": True}}.items():
        book = xlsxwriter.Workbook(f"{folder}/{name}.xlsx", options)
        sheet = book.add_worksheet("Cases")
        day = book.add_format({"num_format": "dd.mm.yyyy"})
        moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
        percent = book.add_format({"num_format": "0%"})
        bold = book.add_format({"bold": True})
        sheet.write_row(0, 0, ["question", "answer", "on", "at", "sum", "text", "isNew", "share", "link"])
        sheet.write_string(1, 0, "Capital of Peru?")
        sheet.write_rich_string(1, 1, "Li", bold, "ma")
        sheet.write_datetime(1, 2, datetime.date(2026, 11, 28), day)
        sheet.write_datetime(1, 3, datetime.datetime(2026, 11, 28, 16, 30), moment)
        sheet.write_formula(1, 4, "=1+2", None, 3)
        sheet.write_formula(1, 5, '="a"&"b"', None, "ab")
        sheet.write_formula(1, 6, "=TRUE()", None, True)
        sheet.write_number(1, 7, 0.25, percent)
        sheet.write_url(1, 8, "https://example.com/a", string="a link")
        sheet.write_row(2, 0, ["Second?", "x_x000D_y"])
        sheet.write_formula(2, 4, "=1/0", None, "#DIV/0!")
        sheet.write_blank(3, 0, None, day)
        sheet.write_row(9, 0, ["Far below", "z"])
        hidden = book.add_worksheet("Hidden")
        hidden.write_row(0, 0, ["question", "answer"])
        hidden.hide()
        book.close()


with_openpyxl()
with_xlsxwriter()
