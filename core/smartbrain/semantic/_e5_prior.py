"""The mean unit vector of everyday texts by language, float16 in base64; by scripts/build_e5_prior.py."""

PRIOR = {
    "en": (
        "bSgKlhup8Kq5LOaoxJaDH54r2iS8KeIhmSw3qAarLSkMKwOoqan7qrUlMBuAqNgoRSqeLF+nmyagKPqt2qpvqKop7Kr5Kbckgatx"
        "q5srJ6kgptYn9CkzLIIrFCjDqbkpdKglp2uqDStfI/kqvybwqmis2KuJrBwnjSyBp04k5iR1LM0rlyi6KkmqtaUdq/8q4RympyUi"
        "iyiFJVmqkSSGp86p86izqbwofKpMLK8qJazNLBOmEyxQKAWr2qkZrGKqqKpiK6MqSKhOLAGnjCfTrBuoWyduKEirTys9qz6pbiik"
        "KeYoCawuqJKq5qYHJgmpXSv3pfWqz6k3qgehmSbFKZMo3qCkKgkmXBk6KSsptC0NqaikVZ7jpI6r2itgqPsq1yoGKkAs1qUtLWCp"
        "MCgWqCoqpiQmKeioZa3+qgwpLSqnqQirJa0uoUKsmqRBKUksEquAo4mqbyYmqYAp7BX5Kj2plSlmLKwp96RYqO2qE6mxqt6ogamM"
        "J9kpKaU7pRQo1amXrN6pfyhpqp4qaio2KTcQSqf4KdooySjrmj6suSkSpJ0p/irgrHasSiyxqQmjzCJQKymqRyZqK12lXipLrFSs"
        "ByoPLGmrmKpMKvipAKhfrAWspqlrqtUeTSeoKZWpR6hSqNooRKytKnSmLKnHJcufoyhdK/2qwailqzWpyihIK1gsU6kIKDIlEKV/"
        "LRYqmikaKh+ssqjdq/GoUqzgJjgmg6x4qxCoXCeVK22oyKgMKAcoHyafK+Ap06Obo4YqpqhWqGqjOazoKueoQS06KOcdjixWqGgq"
        "caUaq30m0SXUrCklNSTKKc4ivCbQK8AqIqxSpqUnpys8oEYdKaePqxOqUatSoreqdSfsKh2qQai8KeQi6yUhqLCqkSpHqs8RCqa1"
        "KnarSKyiJPEmfKqkKTSoXazBK2mmQKjIJCssnK0dIl8q6aVQKZmpj6l+KEkpyqoro+Ap3CowK40qSqSuIAoj2qu/K7oplalUHGml"
        "CauVqGsq0apTrB8nBS0BKAgs"
    ),
    "zh": (
        "CCvZnoGoB6lILZyiNZ5LJfgs/xivJ/ajrC19nXusNCg4K2qqhKSZq6koAiQRqzwpNyyiKICpQykaKfWsaKmaqCIq6amMLEYo9ar7"
        "qqcoCKuTpi4mHSuFLZgpMio9qVYrDaxgpreodym7JzIrhBbuq9+oJq06reArLi0OHUokzySKLdQp6irPKVWp/aFHpZYs6yS1qIsi"
        "X5fIKe+oMSgnqjKtNKkqqGMnUazhKdAq06vDKzQdRisnLMWlhaoQrK6qGKmMKWArc4JiLHuoHaEkrKqqYiteKyasYyiwqRGqHimw"
        "KDgqv6zjqEilO6xAKhSseibUqeOoMaNCq9ipEiqwKT2jy6EgKPsmVJjNJsIm6ywjqjogUaJpqEuokiqoqQMpVirIJ1QsLqoXLKqq"
        "yCNKq2QrySg9KpmpJakaqjwqyil8qumsB61lp/ysLqt3J1Qsh6qfFyym/ClwqrAlkxxALEKl/yEeLtkriaKDp6mrbqgRqhelJaiR"
        "Jl4poxVjpKkqw6tCqpupJR3qqmIqCynHKkwgkarUJO0m7CkwpHutnSirqOkomyjJrIKs4ivSrOQVlB5mKyqqpSIcJwykhSTprW2n"
        "eyuWKAaqwKp4KAeswaULqjCt+KvGrRkjWCjZKnWsIiFTq5QgP6yLLKKpeqlkKaug/SkYK1irwaiyrKGnwCmaLGgt/Kj1KGIlBZq+"
        "LfIrqiuRJFerlaRRrHelUqp3IdQsoKw6qgWoECqnLXerNqjcKcooGiSKKUcrtafupqMoPqdHpCmf7aC9Kd+qFixAJfeYbCyprUgp"
        "m6mWpIIoGJ6jr/8pTiX+FGkmvyopLgMsO6p3qKgcASiQHI8io6iypiSqxKfTpwWrmilOJxqs1am/LJMowhz7pyeqZil+qRmlwav7"
        "KQ2sV6tMJ1EtW6TAKl6opKs+JBik3aRtKG0mVawgIXMsDKUHKv6pw6pzKrcqeawDqHMr0yp4LMAmYiIVCwcp6KwNLB4pgKz1oA+p"
        "Cqr9rOIpg6htqnIk/ixRKKMr"
    ),
}
