"""The credential gate on labelled texts: what must be found and under which kind, and what must pass untouched.

Every credential here is made up: the fixed characters come from a seeded generator.
"""

from __future__ import annotations

import random
import string

import pytest

from smartbrain.text.secrets import find_secrets

_CHANCE = random.Random(11)
_ALNUM = string.ascii_letters + string.digits
_UPPER32 = string.ascii_uppercase + "234567"


def made_up(length: int, alphabet: str = _ALNUM) -> str:
    return "".join(_CHANCE.choice(alphabet) for _ in range(length - 1)) + ("7" if "7" in alphabet else alphabet[-1])


_HEX = "0123456789abcdef"

FOUND = [
    (f"here you go: AKIA{made_up(16, _UPPER32)} in us-east-1", "aws_key"),
    (f"aws_secret_access_key = {made_up(40)}", "api_key"),
    (f"clone it with ghp_{made_up(36)} please", "github_token"),
    (f"新的 token 在这：github_pat_{made_up(60)}，别外传", "github_token"),
    (f"glpat-{made_up(20)} still works", "gitlab_token"),
    (f"my key is sk-proj-{made_up(48)}", "openai_key"),
    (f"我的key：sk-{made_up(48)}。", "openai_key"),
    (f"deepseek 的 sk-{made_up(32, _HEX)} 先用着", "openai_key"),
    (f"export ANTHROPIC_API_KEY=sk-ant-api03-{made_up(80)}", "anthropic_key"),
    (f"use sk-or-v1-{made_up(64, _HEX)}", "openrouter_key"),
    (f"AIza{made_up(35)}", "google_key"),
    (f'"client_secret": "GOCSPX-{made_up(28)}"', "google_key"),
    (f"bot token xoxb-{made_up(12, string.digits)}-{made_up(24)}", "slack_token"),
    (
        f"https://hooks.slack.com/services/T{made_up(8, _UPPER32)}/B{made_up(8, _UPPER32)}/{made_up(24)}",
        "slack_webhook",
    ),
    (f"sk_live_{made_up(24)}", "stripe_key"),
    (f"whsec_{made_up(32)}", "stripe_key"),
    (f"SG.{made_up(22)}.{made_up(43)}", "sendgrid_key"),
    (f"//registry/:_authToken=npm_{made_up(36)}", "npm_token"),
    (f"pypi-AgEIcHlwaS5vcmc{made_up(60)}", "pypi_token"),
    (f"hf_{made_up(34)}", "huggingface_token"),
    (f"阿里云的 AccessKey 是 LTAI{made_up(20)}", "aliyun_key"),
    (f"AKID{made_up(32)}", "tencent_key"),
    (f"{made_up(9, '123456789')}:AA{made_up(33)}", "telegram_token"),
    (f"eyJ{made_up(20)}.eyJ{made_up(40)}.{made_up(43)}", "jwt"),
    (f"Authorization: Bearer {made_up(40)}", "token"),
    (f"curl -H 'Authorization: Basic {made_up(20)}=='", "token"),
    ('curl -d \'{"access_token": "' + made_up(30) + "\"}'", "token"),
    (f"api key: {made_up(32, _HEX)}", "api_key"),
    (f"API_KEY='{made_up(24)}'", "api_key"),
    (f"the api key for the weather service is {made_up(32)}", "api_key"),
    (f"密钥是 {made_up(32)}，放到配置里", "api_key"),
    (f"令牌：{made_up(40)}", "token"),
    (f"client_secret={made_up(24)}", "secret"),
    (f"webhook secret: {made_up(32)}", "secret"),
    ("postgres://app:s3cr3tW0rd@db.internal:5432/prod", "url_password"),
    ("redis://:k9dkd82kd@cache:6379/0", "url_password"),
    ("数据库连接串 mysql://root:Zx81kq@10.0.0.3/shop 记一下", "url_password"),
    ("my password is hunter2", "password"),
    ("The wifi password is correct-horse-battery-staple", "password"),
    ("Password: Tr0ub4dor&3", "password"),
    ("passwd=qwErty!!", "password"),
    ("DB_PASSWORD: 'pa55-word'", "password"),
    ("the admin password was zhang1234, I changed it", "password"),
    ("密码是hunter2", "password"),
    ("家里wifi密码：ab12cd34", "password"),
    ("登录口令改成了Abc!9981", "password"),
    ("我的支付密码 884213 别忘了", "password"),
    ("密碼為 Sunny2024!", "password"),
    ("my bank pin is 4471", "password"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA\n-----END RSA PRIVATE KEY-----", "private_key"),
    ("-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEA", "private_key"),
    ("-----BEGIN PRIVATE KEY-----\nMIIEvQ\n-----END PRIVATE KEY-----\nthanks", "private_key"),
    ("card 4111 1111 1111 1111 exp 12/29", "card"),
    ("卡号5555555555554444，谢谢", "card"),
    ("amex 3782 822463 10005", "card"),
    ("6011-1111-1111-1117", "card"),
    ("银联 6212345678901232", "card"),
    ("身份证号 11010519491231002X", "national_id"),
    ("我的身份证是440308199901101512。", "national_id"),
    ("手机13812345678", "phone"),
    ("call me on +86 138 1234 5678", "phone"),
    ("微信同号：186-1234-5678", "phone"),
]

PASSES = [
    "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
    "fixed in 9fceb02 and e83c5163316f89bfbde7d9ab23ca2e25604af290",
    "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "md5 d41d8cd98f00b204e9800998ecf8427e",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "trace 4bf92f3577b34da6a3ce929d0e0e4736",
    f"data:image/png;base64,{made_up(600, _ALNUM + '+/')}",
    f"<img src='data:image/jpeg;base64,/9j/{made_up(400, _ALNUM + '+/')}'>",
    f"sha512-{made_up(86, _ALNUM + '+/')}==",
    f"ssh-rsa AAAAB3NzaC1yc2E{made_up(200, _ALNUM + '+/')} me@host",
    "-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIE\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIBIjANBg\n-----END PUBLIC KEY-----",
    "max_tokens = 4096",
    "token limit is 8192",
    "The token count is 12345678.",
    "token: string",
    "the token is expired",
    "token: 2026-11-30",
    "tokenizer: cl100k_base",
    "next_page_token: null",
    "password is required",
    "Password: required",
    "password: ********",
    "password: <your password>",
    "PASSWORD=${DB_PASSWORD}",
    "api_key=os.environ['OPENAI_API_KEY']",
    "apiKey: process.env.API_KEY",
    "password = getpass.getpass()",
    "api_key = load_key('prod1')",
    "api key: YOUR_API_KEY",
    "API key is in .env",
    "the password is stored in 1Password",
    "My password was changed yesterday",
    "I forgot my password again",
    "password reset link: https://example.com/reset?id=42",
    "passwords must have 8 characters",
    "password policy: at least 12 characters, one digit",
    "password hash: $2b$12$C6UzMDM.H6dfI/f/IKcEeO",
    "the secret is patience",
    "the secret ingredient is cinnamon",
    "secret: vault/data/prod/db",
    "secret santa: Thursday",
    "secret = arn:aws:secretsmanager:us-east-1:123456789012:secret:db",
    "keyboard key: Ctrl+Shift+P",
    "the access key to the building is blue",
    "public key: ed25519",
    "primary key: user_id2",
    "foreign_key=orders_2024",
    "cache key: user:42:profile",
    "pass: 12 of 14 tests",
    "密码是什么",
    "密码忘了，怎么找回",
    "密码太长了记不住",
    "密码：见群公告",
    "密码强度要求 8 位以上",
    "口令红包来了",
    "token 用完了，下个月再说",
    "这次用了 12000 个 token",
    "版本 1.2.3 发布了",
    "密钥轮换放到周五做",
    "修改密码的页面打不开",
    "https://user:password@example.com",
    "https://<user>:<password>@example.com",
    "postgres://user:${PGPASSWORD}@db/prod",
    "http://localhost:8080/@me",
    "see http://host:3000/a@b",
    "mail me at ann@example.com",
    "git@github.com:owner/repo.git",
    "ssh://git@host:22/owner/repo",
    "sk-folding-cube-container-element",
    "scikit sk-learn-contrib",
    "sk-SK locale",
    "class sk-loading-indicator-2024",
    "pypi-server, npm_config_cache, hf_home",
    "ghp_short",
    "eyJ is how every JWT begins",
    "order 4111111111111112",
    "order number 1234567890123456",
    "tracking 1Z999AA10123456784",
    "1732960000000",
    "snowflake 1730000000000000123",
    "ISBN 9787302511236",
    "IBAN DE89370400440532013000",
    "0.4111111111111111",
    "4111 1111 1111 1111 1111 1111",
    "0000 0000 0000 0000",
    "4444 4444 4444 4444 is not a number, it is noise",
    "110105194912310021",
    "身份证号 11010519491331002X",
    "call 555-0123",
    "+1 415 555 0123",
    "138 is my room, 1234 the code",
    "serial 138123456789",
    "1.13812345678",
    "the gate code is 4471",
    "remember the locker is number 2231",
    "meeting id 862 4411 2299",
    "flight CA1831 seat 31K",
    "车牌 京A12345",
    "订单号 202611300001234567",
    "/usr/lib/python3.11/secrets.py",
    "from secrets import token_hex",
    "def test_password_is_hidden(): ...",
    "x = pwd.getpwnam('root')",
    "pwd: /srv/ann/projects",
    "OAuth2 access token expires in 3600 seconds",
    "csrf token: disabled",
    "Bearer of good news",
    "authorization: none",
]


@pytest.mark.parametrize(("text", "kind"), FOUND, ids=[kind for _, kind in FOUND])
def test_a_secret_is_found_and_named(text: str, kind: str) -> None:
    assert kind in [secret.kind for secret in find_secrets(text)]


@pytest.mark.parametrize("text", PASSES)
def test_what_only_looks_like_a_secret_passes(text: str) -> None:
    assert [(s.kind, text[s.start : s.end]) for s in find_secrets(text)] == []


def test_only_the_secret_itself_is_marked() -> None:
    texts = [
        "postgres://app:s3cr3tW0rd@db:5432/prod",
        "my password is zhang1234.",
        "密码是hunter2，别忘了",
        'pwd="a1b2c3", next',
    ]
    marked = [[text[s.start : s.end] for s in find_secrets(text)] for text in texts]
    assert marked == [["s3cr3tW0rd"], ["zhang1234"], ["hunter2"], ["a1b2c3"]]
