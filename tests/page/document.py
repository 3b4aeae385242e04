"""A page read back: its elements as a tree, and what is wrong with its markup."""
import re
from html.parser import HTMLParser

VOID = {'meta', 'br', 'hr', 'img', 'input', 'link'}
# Elements of gnuplot's SVG that may stand without a closing tag of their own are written as <x/>.


class Element:
    def __init__(self, name, attributes, parent):
        self.name, self.attributes, self.parent = name, dict(attributes), parent
        self.children, self.text = [], ''

    def walk(self):
        yield self
        for child in self.children:
            yield from child.walk()

    def all_text(self):
        return self.text + ''.join(child.all_text() for child in self.children)

    def find(self, name=None, css=None):
        return [e for e in self.walk() if (name is None or e.name == name) and
                (css is None or css in e.attributes.get('class', '').split())]


class Document(HTMLParser):
    """`root` holds the tree, `problems` every tag that is not closed where it should be."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element('document', [], None)
        self.problems = []
        self.feed(text)
        self.close()
        if self.at is not self.root:
            self.problems.append(f'<{self.at.name}> is never closed')

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        if len(set(names)) != len(names):
            self.problems.append(f'<{tag}> has an attribute twice')
        element = Element(tag, attrs, self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag, attrs):
        self.at.children.append(Element(tag, attrs, self.at))

    def handle_endtag(self, tag):
        if self.at.name != tag:
            self.problems.append(f'</{tag}> closes <{self.at.name}> at {self.getpos()}')
        else:
            self.at = self.at.parent

    def handle_data(self, data):
        self.at.text += data


def duplicate_ids(document):
    ids = [e.attributes['id'] for e in document.root.walk() if 'id' in e.attributes]
    return sorted({i for i in ids if ids.count(i) > 1})


def addresses(text):
    """What could make a browser ask another machine for something."""
    return re.findall(r'https?:|//[a-z]|url\(|@import|<link|<iframe|<img|src=', text)
