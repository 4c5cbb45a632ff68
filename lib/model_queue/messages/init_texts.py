"""What ``init`` says, English and Chinese side by side.

Data only, as ``texts``; ``initializing`` fills it in.
"""

from __future__ import annotations

from model_queue.messages.texts import Text

FOUND_OLLAMA: Text = (
    "Found Ollama{version} at {address} with {models}: {names}.",
    "在 {address} 找到 Ollama{version}，有 {models}：{names}。",
)
FOUND_EMPTY: Text = (
    "Found Ollama{version} at {address}, which has no model yet.",
    "在 {address} 找到 Ollama{version}，但还没有模型。",
)
FOUND_NONE: Text = (
    "No Ollama answers at {addresses}.",
    "{addresses} 没有 Ollama 应答。",
)
ONE_MODEL: Text = ("1 model", "1 个模型")
MANY_MODELS: Text = ("{n} models", "{n} 个模型")
LEFT_OUT: Text = (
    "Left out: {names} (for embeddings, or run elsewhere for money).",
    "未列入：{names}（用于嵌入，或在别处收费运行）。",
)
GET_OLLAMA: Text = (
    (
        "Get it from https://ollama.com/download, start it with `ollama serve`, then run "
        "`ollama pull qwen2.5` and `model-queue init` again."
    ),
    (
        "请从 https://ollama.com/download 获取，用 `ollama serve` 启动，然后运行 "
        "`ollama pull qwen2.5`，再运行 `model-queue init`。"
    ),
)
PULL: Text = (
    "Run `ollama pull qwen2.5`, then `model-queue init` again.",
    "请运行 `ollama pull qwen2.5`，再运行 `model-queue init`。",
)
FOUND_PROGRAMS: Text = (
    (
        "Found {programs}. Models of agent programs are run by your agent runtime: for "
        "each, add a line with the models that you use, such as {line}"
    ),
    (
        "找到 {programs}。智能体程序的模型由你的智能体运行环境运行：请为每个程序加一行，"
        "写明你使用的模型，例如 {line}"
    ),
)
SAMPLE: Text = (
    "Sources of models are lines like these in {path}:",
    "模型来源在 {path} 中这样写：",
)
ADD_LINES: Text = (
    "Add these lines to {path}, or let `{command}` do it:",
    "请把这些行加入 {path}，或运行 `{command}` 自动加入：",
)
ALL_THERE: Text = (
    "{path} has every line that is needed; nothing was changed.",
    "{path} 已有所需的全部内容，未作更改。",
)
WRITTEN: Text = ("Added to {path}:", "已加入 {path}：")
ADD_TOML: Text = (
    "That Ollama is not at its usual address: add to {path}",
    "该 Ollama 不在默认地址：请在 {path} 中加入",
)
QUEUES_READY: Text = ("Ready: {queues} in {path}.", "已就绪：{path} 中的 {queues}。")
NOT_READ: Text = (
    "model-queue does not look there by itself: set MODEL_QUEUE_TOOLS_MD={path}",
    "model-queue 不会自动读取那里：请设置 MODEL_QUEUE_TOOLS_MD={path}",
)
NEXT: Text = (
    'Next: `model-queue intake "use {model} to write a haiku about rain"`',
    '下一步：`model-queue intake "用 {model} 写一首关于雨的俳句"`',
)
NEXT_DOCTOR: Text = (
    "Next: `model-queue doctor` shows whether all of it works.",
    "下一步：`model-queue doctor` 会显示一切是否正常。",
)
CLASH: Text = (
    "{path} has {name}={there} already, which is not overwritten",
    "{path} 中已有 {name}={there}，不会覆盖它",
)
CLASH_HINT: Text = (
    "If the models of now are meant, write there: {name}={wanted}",
    "如果要改为现在的模型，请在那里写：{name}={wanted}",
)
NOTHING_TO_WRITE: Text = (
    "Nothing was written: {why}",
    "未写入任何内容：{why}",
)
