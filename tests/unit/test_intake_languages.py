"""Lists, connectives, commands and selections in the languages besides English and Chinese."""

from __future__ import annotations

import pytest

from intake_samples import CATALOG, read, texts
from model_queue.intake.phrases import LANGUAGES, languages, tables


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(
            "Lade die Messwerte, danach bereinige sie und anschließend zeichne ein Diagramm",
            3,
            id="de",
        ),
        pytest.param(
            "Primero descarga los datos, luego límpialos y finalmente haz un gráfico",
            3,
            id="es",
        ),
        pytest.param(
            "D'abord télécharge les données, ensuite nettoie-les, enfin fais un graphique",
            3,
            id="fr",
        ),
        pytest.param(
            "議事録を要約して、それから英語に翻訳してください。最後にメールで送って。",
            3,
            id="ja",
        ),
        pytest.param(
            "먼저 데이터를 정리해줘. 그 다음 그래프를 그려줘. 마지막으로 보고서를 써줘.",
            3,
            id="ko",
        ),
    ],
)
def test_connectives_make_a_chain(message: str, expected: int) -> None:
    tasks = read(message).tasks

    assert len(tasks) == expected
    assert [task.depends_on for task in tasks] == [(), (0,), (1,)][:expected]


@pytest.mark.parametrize(
    ("message", "first", "in_order"),
    [
        (
            "Bitte erledige folgende Aufgaben:\n- Rechnungen prüfen\n- Mahnschreiben entwerfen",
            "Rechnungen prüfen",
            False,
        ),
        (
            "Erledige der Reihe nach:\n1. Daten laden\n2. Daten bereinigen",
            "Daten laden",
            True,
        ),
        (
            "Tareas:\n- traducir el informe\n- revisar las facturas",
            "traducir el informe",
            False,
        ),
        (
            "Tâches à faire :\n- traduire le contrat\n- relire la lettre",
            "traduire le contrat",
            False,
        ),
        (
            "以下を順番に：\n・データを整理する\n・グラフを作成する",
            "データを整理する",
            True,
        ),
        (
            "다음 작업을 순서대로 해줘:\n- 데이터 정리\n- 그래프 작성",
            "데이터 정리",
            True,
        ),
    ],
    ids=["de", "de in order", "es", "fr", "ja in order", "ko in order"],
)
def test_lists(message: str, first: str, *, in_order: bool) -> None:
    tasks = read(message).tasks

    assert [len(tasks), tasks[0].text] == [2, first]
    assert tasks[1].depends_on == ((0,) if in_order else ())


@pytest.mark.parametrize(
    ("message", "text", "model"),
    [
        (
            "Nutze glm5, um den Bericht zu übersetzen",
            "den Bericht zu übersetzen",
            "glm5",
        ),
        (
            "Lass mistral die Fehlermeldungen umschreiben",
            "die Fehlermeldungen umschreiben",
            "mistral",
        ),
        (
            "Fasse die Notizen mit qwen2.5 zusammen",
            "Fasse die Notizen mit qwen2.5 zusammen",
            "qwen2.5",
        ),
        ("Usa glm5 para traducir el informe", "traducir el informe", "glm5"),
        ("Traduce el informe con mistral", "Traduce el informe", "mistral"),
        ("Haz que qwen2.5 resuma las notas", "resuma las notas", "qwen2.5"),
        ("Utilise mistral pour corriger le rapport", "corriger le rapport", "mistral"),
        ("Traduis le contrat avec glm5", "Traduis le contrat", "glm5"),
        ("qwen2.5で議事録を要約してください", "議事録を要約して", "qwen2.5"),
        ("議事録をglm5で要約して", "議事録をglm5で要約して", "glm5"),
        ("qwen2.5로 회의록을 요약해줘", "회의록을 요약해줘", "qwen2.5"),
    ],
)
def test_a_model_is_selected(message: str, text: str, model: str) -> None:
    (task,) = read(message).tasks

    assert task.text == text
    assert (task.model or "").endswith(model)


@pytest.mark.parametrize(
    ("message", "source", "text"),
    [
        ("Mit dem lokalen Modell: prüfe die Logs", "ollama-local", "prüfe die Logs"),
        (
            "En la nube: genera diez titulares",
            "cloud-nvidia",
            "genera diez titulares",
        ),
        (
            "Traite en local : corrige les fautes",
            "ollama-local",
            "corrige les fautes",
        ),
        (
            "ローカルで実行してください：ログを分析する",
            "ollama-local",
            "ログを分析する",
        ),
        ("로컬에서 실행해줘: 로그 분석", "ollama-local", "로그 분석"),
    ],
)
def test_a_source_is_selected_by_its_word(message: str, source: str, text: str) -> None:
    (task,) = read(message).tasks

    assert (task.queue, task.text) == (source, text)


@pytest.mark.parametrize(
    ("message", "command", "ids"),
    [
        ("Brich T-003 ab", "cancel", ("T-003",)),
        ("T-012 bitte nochmal starten", "retry", ("T-012",)),
        ("T-003 bis T-005 überspringen", "skip", ("T-003", "T-004", "T-005")),
        ("Ist T-005 fertig?", "show", ("T-005",)),
        ("Cancela T-003 y T-004", "cancel", ("T-003", "T-004")),
        ("Vuelve a ejecutar T-006", "retry", ("T-006",)),
        ("Annule T-003", "cancel", ("T-003",)),
        ("Mets T-003 en pause", "pause", ("T-003",)),
        ("Où en est T-003 ?", "show", ("T-003",)),
        ("T-003をキャンセルして", "cancel", ("T-003",)),
        ("T-003からT-005までスキップしてください", "skip", ("T-003", "T-004", "T-005")),
        ("T-002の進み具合は？", "show", ("T-002",)),
        ("T-003 취소해줘", "cancel", ("T-003",)),
        ("T-003부터 T-005까지 건너뛰어줘", "skip", ("T-003", "T-004", "T-005")),
        ("T-002 어떻게 됐어?", "show", ("T-002",)),
    ],
)
def test_commands(message: str, command: str, ids: tuple[str, ...]) -> None:
    parsed = read(message)

    assert parsed.tasks == ()
    assert [(c.command, c.ids) for c in parsed.commands] == [(command, ids)]


@pytest.mark.parametrize(
    "message",
    [
        "Was läuft gerade?",
        "Zeig mir die Warteschlange",
        "¿Qué se está ejecutando?",
        "Montre-moi la file d'attente",
        "キューの状態を見せて",
        "今何が実行中ですか？",
        "대기열 상태 보여줘",
    ],
)
def test_questions_about_the_queue(message: str) -> None:
    assert read(message).mode == "status"


@pytest.mark.parametrize(
    "message",
    [
        "Guten Morgen!",
        "Danke dir!",
        "Wie spät ist es in Tokio?",
        "Das Wetter ist heute schön.",
        "Erinnere mich morgen an den Zahnarzt",
        "¿Cuánto cuesta un vuelo a Madrid?",
        "Merci beaucoup !",
        "Quelle heure est-il à Tokyo ?",
        "Rappelle-moi demain d'appeler le dentiste",
        "こんにちは",
        "今日の天気は？",
        "안녕하세요",
        "오늘 날씨 어때?",
    ],
)
def test_talk_is_no_work(message: str) -> None:
    assert read(message).mode == "none"


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Neue Aufgabe: das Handbuch übersetzen", "das Handbuch übersetzen"),
        ("Nueva tarea: traducir el manual", "traducir el manual"),
        ("Nouvelle tâche : traduire le manuel", "traduire le manuel"),
        ("タスク追加：READMEを英訳する", "READMEを英訳する"),
        ("새 작업: README를 번역해줘", "README를 번역해줘"),
        ("qwen2.5でREADMEを要約して", "READMEを要約して"),
    ],
)
def test_a_trigger_is_taken_in_ambient_scope(message: str, text: str) -> None:
    assert texts(read(message, scope="ambient")) == [text]


@pytest.mark.parametrize(
    ("message", "form"),
    [
        ("Heute um 23 Uhr: werte die Serverlogs aus", "2026-11-30T23:00:00Z"),
        ("In zwei Stunden: prüfe die Liste", "PT2H"),
        ("Mañana a las 9: revisa el informe", "2026-12-01T09:00:00Z"),
        ("Demain à 14h, rédige le compte rendu", "2026-12-01T14:00:00Z"),
        ("明日の朝9時に議事録を要約してください", "2026-12-01T09:00:00Z"),
        ("30分後にレポートを作成して", "PT30M"),
        ("내일 오후 3시에 회의록을 요약해줘", "2026-12-01T15:00:00Z"),
    ],
)
def test_times(message: str, form: str) -> None:
    (task,) = read(message).tasks

    assert task.not_before_text == form


@pytest.mark.parametrize(
    ("message", "language"),
    [
        ("fasse das zusammen", "de"),
        ("resume el artículo", "es"),
        ("traduis le contrat", "fr"),
        ("要約して", "ja"),
        ("요약해줘", "ko"),
    ],
)
def test_a_language_is_found_by_its_words(message: str, language: str) -> None:
    assert language in languages.found_in(message)


@pytest.mark.parametrize(
    "message",
    [
        "use qwen2.5 to list the files in the folder, then on to the next",
        "把 README 翻译成英文，然后写摘要",
        "If the file is final, pause the queue and resume it at noon",
    ],
)
def test_english_and_chinese_bring_no_other_language(message: str) -> None:
    assert languages.found_in(message) == ("en", "zh")


def test_a_kanji_request_is_not_read_as_chinese_politeness() -> None:
    (task,) = read("至急：請求書を確認して").tasks

    assert (task.text, task.priority) == ("請求書を確認して", 10)


def test_every_language_has_tables() -> None:
    assert [len(tables(language)) > 0 for language in LANGUAGES] == [True] * 7
    assert tables("xx") == ()
    assert CATALOG.triggers == ()
