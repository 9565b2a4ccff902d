"""The templated page of the WSGI and ASGI apps: about 300 bytes, rendered for each request."""

from jinja2 import Environment

TEMPLATE = Environment(autoescape=True).from_string("""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{{ title }}</title>
</head>
<body>
<h1>{{ title }}</h1>
<p>One page from a template:</p>
<ul>
{% for style, waits in styles.items() %}
<li>{{ style }}: {{ waits }}</li>
{% endfor %}
</ul>
</body>
</html>
""")

STYLES = {
    "WSGI": "a worker waits",
    "gevent": "a greenlet waits",
    "ASGI": "nothing waits",
}


def render_page() -> str:
    return TEMPLATE.render(title="Sync & async", styles=STYLES)
