"""Words that open a request, and words that show there is none."""

from __future__ import annotations

_ENGLISH_WORDS = """
accept access adapt add address adjust advise aggregate align allocate analyse analyze annotate
announce anonymise anonymize answer append apply approve archive arrange ask assemble assess
assign attach audit author automate average back backup bake balance batch begin benchmark book
boost brainstorm break brief bring browse brush build bump bundle buy bypass calculate call
cancel capture catalog catalogue categorise categorize change chart chase check choose cite
clarify classify clean clean-up clear clone close cluster code collate collect color colour
combine come comment commission commit communicate compare compile complete compose compress
compute condense conduct configure confirm connect consolidate construct contact continue
contrast convert cook coordinate copy correct count crawl create critique crop cross-check
crunch curate cut debug decide decode decrypt dedupe deduplicate define delete deliver demo
deploy describe design detect determine develop devise diagnose diff dig digest discover discuss
display dissect distil distill distribute divide do document double-check download draft draw
drop dump duplicate edit elaborate email embed empty enable encode encrypt end enhance enrich
enter enumerate escalate establish estimate evaluate examine execute expand explain explore
export extend extract fact-check factor fetch figure file fill filter finalise finalize find
fine-tune finish fit fix flag flash flatten fold follow forecast format formulate forward freeze
gather generate get give go grade graph grep group guess handle harmonise harmonize hash help
hide highlight host hunt identify illustrate implement import improve include increase index
inform inspect install integrate interpret introduce invent inventory investigate invite invoice
isolate iterate join jot justify keep knit label launch lay lead learn let lint list load
localise localize locate lock log look lower mail maintain make map mark mask match measure
merge message migrate minify minimise minimize mock model moderate modernise modernize modify
monitor move name narrate negotiate normalise normalize note notify number obtain offer open
optimise optimize order organise organize outline output overhaul pack package paint paraphrase
park parse patch pay perform pick pin ping pitch plan play plot polish poll populate port post
pre-process predict prepare preprocess present preview price print prioritise prioritize process
produce profile project proofread propose protect prototype provide prune publish pull purge
push put quantify query quote raise rank rate re-index re-run reach read rebase rebuild
recalculate recap recommend reconcile reconstruct record redact redesign redo redraft reduce
refactor refill refine reformat refresh regenerate register rehearse reindex release rename
reorder reorganise reorganize repair rephrase replace reply report reproduce request rerun
research reserve reset reshape resize resolve respond restart restock restore restructure retire
retrieve return reverse review revise reword rework rewrite roll rotate round route run sample
sanitise sanitize save scale scan schedule scope score scrape screen script search secure seed
segment select sell send separate serve set set-up setup sew shard share shift ship shorten
shortlist show shrink shuffle sign simplify simulate sketch skim slice snapshot solve sort
source speed spell spell-check spellcheck split spot square stage standardise standardize start
state stitch stop store strip structure stub study style submit subset subtitle suggest sum
summarie summarise summarize summerize supply survey swap sweep switch sync synthesise
synthesize tabulate tag tail take talk tally teach tell test think tidy tighten tile time toggle
trace track train transcode transcribe transfer transform translate transpose trawl treat triage
trim try tune turn tweak type typeset unify uninstall unit-test unpack unzip update upgrade
upload upsample use vacuum validate vectorise vectorize verify version vet view visit visualise
visualize volunteer vote walk warn wash watch water weigh whip wipe wire work wrap write zip
"""
ENGLISH = frozenset(_ENGLISH_WORDS.split())
"""Base forms that open an English imperative; an open class, used with its look-alikes."""

_NOT_REQUEST_WORDS = """
a about after ain't all although am an and any anybody anything apparently are aren't as at bad
be because been before both but by can can't cool could did didn't do does doesn't don't each
every everyone everything feels for frankly from funny glad good got great had haha happened
happy has hasn't hate have haven't he hello her here here's hey hi his honestly how how's i i'd
i'll i'm i've if in interesting is isn't it it's its just kind last like lol looks love many may
maybe might most must my never nice no nobody nope not nothing of ok okay on only or our part
perhaps personally probably sad seems shall she should shouldn't since so some somebody someone
something sorry sort sounds still strange thank thanks that that's the their there there's these
they they're thinking this those though today tomorrow tonight unless was wasn't we we're we've
weird were what what's whats when where where's whether which while who whoever whichever however whom whose why will with
won't wondering works would wouldn't wow yeah yep yes yesterday you you're your
"""
NOT_REQUEST = frozenset(_NOT_REQUEST_WORDS.split())
"""First words of statements and questions, never of an imperative."""

_QUESTION_WORDS = """
am are aren't can could did didn't do does doesn't had has have how how's is isn't may might
must shall should was wasn't were what what's whats when where where's which who who's whom
whose why why's will won't would
"""
QUESTION = frozenset(_QUESTION_WORDS.split())
""""""

_BACKGROUND_NOUNS_WORDS = """
action app application bot class command crawler cron daemon endpoint extension function handler
hook job listener macro method middleware module parser pipeline plugin procedure program query
routine scraper script service test tool trigger utility worker workflow
"""
BACKGROUND_NOUNS = frozenset(_BACKGROUND_NOUNS_WORDS.split())
"""Things whose behaviour a relative clause describes: "a script that … and then …"."""

_CHINESE_WORDS = """
上传 下载 为 介绍 从 优化 保存 修 修复 修改 做 停掉 关闭 写 准备 出 分析 分类 列 列举 列出 创作 创建 删 删除 制作 制定 刷新 剪辑 加 匹配 升级 压测 压缩 去
去重 参考 发 发布 发送 取 取名 合并 同步 听 命名 回复 回滚 回顾 在 基于 填 填写 处理 备份 复盘 存 安排 安装 完善 定位 实现 审查 审核 对 对比 对账 导入 导出 将
展示 建 建立 开发 归类 归纳 录入 录制 念 总结 想 想出 打 打包 打印 打开 执行 扫 扫描 找 抄 把 抓取 报告 报销 抽取 拆分 拉 拉取 拍 拟 按 按照 排序 排查 推荐
推送 描述 提交 提供 提取 提炼 搜索 搜集 搭建 撰写 收集 改 改写 改进 整理 更新 替换 构思 查 查找 查询 标注 校对 校验 核对 根据 格式化 梳理 检查 概括 比较 汇总
汇报 测试 润色 添加 清洗 清理 渲染 爬取 生产 生成 用 缩短 扩写 精简 换 换成 画 画出 登记 监控 盘点 看 研究 确认 策划 筛选 算 绘制 给 统计 编写 编译 翻译 联系 脱敏 补 补充 规划 解决
解释 计算 订 让 训练 记录 讲 设计 评估 评测 译 说明 读 调整 调查 调研 购买 起 起草 跑 跟进 转 转写 转录 转换 输出 迁移 过滤 运行 追踪 通知 部署 配置 重启
重命名 重构 针对 阅读 预测 预订 验证
"""
CHINESE = frozenset(_CHINESE_WORDS.split())
"""Beginnings of Chinese requests; used where a list could be names or jobs."""


def is_english_request(word: str) -> bool:
    """Tell whether an English word can open an imperative."""
    return word in ENGLISH or (
        word.startswith("re")
        and len(word) > len("reach")
        and word[2:].lstrip("-") in ENGLISH
    )


def is_inflected(word: str) -> bool:
    """Tell whether a word is a verb's -s, -ed or -ing form: narrative, no request."""
    if word in ENGLISH:
        return False
    for ending, stems in (
        ("ing", 3),
        ("ied", 3),
        ("ies", 3),
        ("ed", 2),
        ("es", 2),
        ("s", 1),
    ):
        stem = word[:-stems]
        if word.endswith(ending) and len(stem) > 1:
            forms = {stem, stem + "e", stem + "y", stem[:-1]}
            if forms & ENGLISH:
                return True
    return False
