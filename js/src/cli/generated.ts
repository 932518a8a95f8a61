// Written by js/cli.py; change it there.

/** The usage of each command, and of the whole. */
export const USAGE: { readonly [command: string]: string } = {
  "": "usage: agentsdisc [-h] [--version] COMMAND ...\n",
  "inspect": "usage: agentsdisc inspect [-h] [--format FORMAT] [--url URL] [--max-bytes N]\n                          [--user-agent NAME] [--timeout SECONDS]\n                          [--allow-private] [--no-cache]\n                          FILE|URL\n",
  "lint": "usage: agentsdisc lint [-h] [--output-format {text,json,sarif,github}]\n                       [--origin ORIGIN] [--fix] [--diff] [--select CODES]\n                       [--ignore CODES] [--fail-on SEVERITY] [--format FORMAT]\n                       [--url URL] [--max-bytes N] [--user-agent NAME]\n                       [--timeout SECONDS] [--allow-private] [--no-cache]\n                       FILE|FOLDER|URL [FILE|FOLDER|URL ...]\n",
  "check": "usage: agentsdisc check [-h] [--canonical-origin URL]\n                        [--profile {content,api,shop}] [--expect TOPICS]\n                        [--baseline FILE] [--fail-on STATUS]\n                        [--output-format {text,json,sarif,junit,github,html,markdown,badge}]\n                        [--fix] [--call-mcp] [--max-bytes N]\n                        [--user-agent NAME] [--timeout SECONDS]\n                        [--allow-private]\n                        TARGET\n",
  "explain": "usage: agentsdisc explain [-h] [--json] [CODE ...]\n",
  "convert": "usage: agentsdisc convert [-h] --to FORMAT [-o OUT] [--origin ORIGIN]\n                          [--compact] [--loosen] [--native] [--details FOLDER]\n                          [--capability NAME] [--strict] [--format FORMAT]\n                          [--url URL] [--max-bytes N]\n                          FILE\n",
  "decide": "usage: agentsdisc decide [-h] [--robots FILE | --robots-status STATUS]\n                         [--origin URL] [--keys FILE] [--purpose PURPOSE]\n                         [--max-bytes N] [--user-agent NAME]\n                         [--timeout SECONDS] [--allow-private] [--no-cache]\n                         --agent UA [--url URL | --capability ID]\n                         [--method METHOD] [--approve URL]\n                         [--content-usage VALUE] [--json]\n                         FILE|URL [FILE|URL ...]\n",
  "tools": "usage: agentsdisc tools [-h] [--robots FILE | --robots-status STATUS]\n                        [--origin URL] [--keys FILE] [--purpose PURPOSE]\n                        [--max-bytes N] [--user-agent NAME]\n                        [--timeout SECONDS] [--allow-private] [--no-cache]\n                        --agent UA [--approve URL]\n                        [--json | --style {openai,anthropic,mcp}]\n                        FILE|URL [FILE|URL ...]\n",
  "formats": "usage: agentsdisc formats [-h]\n"
};

/** The help of each command, and of the whole. */
export const HELP: { readonly [command: string]: string } = {
  "": "usage: agentsdisc [-h] [--version] COMMAND ...\n\nReads the documents by which web sites tell AI agents what they may do.\n\npositional arguments:\n  COMMAND\n    inspect   show the content of a document for people\n    lint      check documents against their specifications\n    check     tell whether a site is ready for agents\n    explain   explain a finding of lint\n    convert   convert a document into another format\n    decide    decide whether an agent may make a request, and why\n    tools     list what an agent may call on a site, and what not and why\n    formats   list the formats that are read or recognized\n\noptions:\n  -h, --help  show this help message and exit\n  --version   show program's version number and exit\n\nFiles only, but for check; the command of the Python package also requests the\ndocuments of sites, and has more commands.\n\nexit codes:\n  0  success\n  1  lint found an error, a check of check fails, convert was refused, or decide\n     does not allow the request\n  2  an input cannot be read, an output cannot be written, or the arguments are\n     invalid\n",
  "inspect": "usage: agentsdisc inspect [-h] [--format FORMAT] [--url URL] [--max-bytes N]\n                          [--user-agent NAME] [--timeout SECONDS]\n                          [--allow-private] [--no-cache]\n                          FILE|URL\n\nShows the content of a document for people. Uses colours only on a terminal;\nescapes control characters. Exit code 1 if a site has no document, and its\nrobots.txt states no AI preferences.\n\npositional arguments:\n  FILE|URL           a document, - for standard input, or the URL of a site,\n                     whose documents are requested\n\noptions:\n  -h, --help         show this help message and exit\n  --format FORMAT    read the document as this format (see `agentsdisc\n                     formats`) instead of detecting it\n  --url URL          where the document was fetched from: helps to detect the\n                     format (default: the file's path)\n  --max-bytes N      size of the largest document to read, such as 4M\n                     (default: 1M)\n\nHTTP:\n  --user-agent NAME  the User-Agent to send, such as 'MyBot/1.0\n                     (+https://bot.example)'\n  --timeout SECONDS  time limit for the whole command (default: 60)\n  --allow-private    connect to the host that you name also if its address is\n                     private or loopback; other hosts must be public\n  --no-cache         neither store answers nor use stored ones\n",
  "lint": "usage: agentsdisc lint [-h] [--output-format {text,json,sarif,github}]\n                       [--origin ORIGIN] [--fix] [--diff] [--select CODES]\n                       [--ignore CODES] [--fail-on SEVERITY] [--format FORMAT]\n                       [--url URL] [--max-bytes N] [--user-agent NAME]\n                       [--timeout SECONDS] [--allow-private] [--no-cache]\n                       FILE|FOLDER|URL [FILE|FOLDER|URL ...]\n\nChecks documents against their specifications. For a site, also checks how\nthey are served. Exit code 1 if there is a finding of severity error (see\n--fail-on), 2 if a document cannot be read.\n\npositional arguments:\n  FILE|FOLDER|URL       documents, - for standard input, folders with the\n                        files of a site, or the URL of a site, whose documents\n                        are requested and checked, and how they are served; of\n                        an agents.txt and its agents.json, also whether they\n                        agree\n\noptions:\n  -h, --help            show this help message and exit\n  --output-format {text,json,sarif,github}\n                        text for people (the default), one JSON array, SARIF\n                        2.1.0, or workflow commands for annotations on GitHub\n  --origin ORIGIN       the origin of the documents, such as\n                        https://example.com; statements about other origins\n                        are reported\n  --fix                 first apply automatic fixes to agents.txt files, in\n                        place, and print the changes\n  --diff                print the changes that --fix would make, without\n                        changing or checking anything; exit code 1 if there is\n                        a change\n  --select CODES        report only findings with these codes, separated by\n                        commas (`agentsdisc explain` lists them)\n  --ignore CODES        report no findings with these codes; they do not count\n                        for the exit code either\n  --fail-on SEVERITY    exit with 1 if there is a finding of this severity or\n                        a higher one: error (the default), warning or info\n  --format FORMAT       read the document as this format (see `agentsdisc\n                        formats`) instead of detecting it\n  --url URL             where the document was fetched from: helps to detect\n                        the format (default: the file's path)\n  --max-bytes N         size of the largest document to read, such as 4M\n                        (default: 1M)\n\nHTTP:\n  --user-agent NAME     the User-Agent to send, such as 'MyBot/1.0\n                        (+https://bot.example)'\n  --timeout SECONDS     time limit for the whole command (default: 60)\n  --allow-private       connect to the host that you name also if its address\n                        is private or loopback; other hosts must be public\n  --no-cache            neither store answers nor use stored ones\n",
  "check": "usage: agentsdisc check [-h] [--canonical-origin URL]\n                        [--profile {content,api,shop}] [--expect TOPICS]\n                        [--baseline FILE] [--fail-on STATUS]\n                        [--output-format {text,json,sarif,junit,github,html,markdown,badge}]\n                        [--fix] [--call-mcp] [--max-bytes N]\n                        [--user-agent NAME] [--timeout SECONDS]\n                        [--allow-private]\n                        TARGET\n\nChecks a site, or the folder with its files, for everything that agents and\nthe scanners of sites look at: robots.txt, AI rules, sitemap, llms.txt,\nMarkdown, links, catalogs, cards, OAuth, skills. What could not be decided is\nno failure. Exit code 1 if a check fails (see --fail-on), 2 if nothing could\nbe checked.\n\npositional arguments:\n  TARGET                the URL of a site, the folder with its files, or a\n                        report of an earlier run in JSON, to write it in\n                        another format; headers are read from _headers,\n                        netlify.toml, vercel.json, .htaccess and\n                        staticwebapp.config.json\n\noptions:\n  -h, --help            show this help message and exit\n  --canonical-origin URL\n                        the origin that the documents name, if TARGET is a\n                        folder, a preview or a server on this machine\n  --profile {content,api,shop}\n                        the kind of site: content (APIs, agents and shops are\n                        not checked), api (it must have one; shops are not\n                        checked), shop (it must be one)\n  --expect TOPICS       what the site must have, separated by commas: api,\n                        auth, mcp, agent, shop, bots\n  --baseline FILE       a report of an earlier run (--output-format json):\n                        only checks that did not fail there count for the exit\n                        code\n  --fail-on STATUS      exit with 1 if a check has this status or a worse one:\n                        fail (the default), warn or never\n  --output-format {text,json,sarif,junit,github,html,markdown,badge}\n                        text for people (the default), the report as JSON,\n                        SARIF 2.1.0, JUnit XML, workflow commands for\n                        annotations on GitHub, one HTML file, Markdown for a\n                        comment on a pull request, or the JSON of a badge;\n                        HTML and Markdown say what has changed since\n                        --baseline\n  --fix                 first correct in the folder what needs no decision,\n                        and print the changes: digests of skills, ard.json\n                        beside ai-catalog.json, Content-Signal in the groups\n                        of robots.txt, missing types in _headers\n  --call-mcp            call the MCP servers on the host of the site that its\n                        card names: server/discover, the only request that is\n                        not GET or HEAD\n  --max-bytes N         size of the largest document to read, such as 4M\n                        (default: 1M)\n\nHTTP:\n  --user-agent NAME     the User-Agent to send, such as 'MyBot/1.0\n                        (+https://bot.example)'\n  --timeout SECONDS     time limit for the whole command (default: 60)\n  --allow-private       connect to the host that you name also if its address\n                        is private or loopback; other hosts must be public\n",
  "explain": "usage: agentsdisc explain [-h] [--json] [CODE ...]\n\nSays what a code of a finding means, why it matters, and shows a wrong and a\nright document. Without a code, lists all codes.\n\npositional arguments:\n  CODE        a code, such as insecure-url\n\noptions:\n  -h, --help  show this help message and exit\n  --json      print a JSON array for programs\n",
  "convert": "usage: agentsdisc convert [-h] --to FORMAT [-o OUT] [--origin ORIGIN]\n                          [--compact] [--loosen] [--native] [--details FOLDER]\n                          [--capability NAME] [--strict] [--format FORMAT]\n                          [--url URL] [--max-bytes N]\n                          FILE\n\nConverts a document into another format. Standard error lists the losses with\ntheir positions, and the required values of the target format that the\ndocument lacks. Exit code 1, without output, if the result would allow agents\nmore than the document does, or if --strict is given and a value is lost; 2 if\nthe document cannot be read or cannot be converted to this format.\n\npositional arguments:\n  FILE                  a document, or - for standard input\n\noptions:\n  -h, --help            show this help message and exit\n  --to FORMAT           agents-txt or agents-json of the Internet-Draft;\n                        agents-txt-0.1 or agents-json-0.1 for a document of\n                        0.1; agents-md; llms-txt; awp for agent.json of the\n                        Agent Web Protocol; adp and adp-capability for the\n                        manifest and a detail of the Agent Discovery Protocol;\n                        robots-txt for a robots.txt whose AI preferences stand\n                        in both Content-Signal and Content-Usage; json for the\n                        unified model\n  -o OUT, --output OUT  file to write (default: standard output)\n  --origin ORIGIN       the origin of the document, such as\n                        https://example.com; used as the URL of the site if\n                        the document states none\n  --compact             write JSON on one line\n  --loosen              drop the restrictions that the target cannot express:\n                        those of a capability (confirmation by a person,\n                        effect class, a second rate limit), which is otherwise\n                        omitted, and those of the site (what an agents.md\n                        forbids, rate limits), without which nothing is\n                        written\n  --native              the owner of the site publishes the agent.json;\n                        otherwise one that is made from another document says\n                        that it is synthetic, with the tool, the time, and the\n                        share of actions that are fully described\n  --details FOLDER      also write the details of an adp below this folder,\n                        which is the root of the site: /capabilities/NAME.json\n  --capability NAME     the capability that an adp-capability describes\n                        (default: the only one)\n  --strict              write nothing if a value is lost that affects agents\n  --format FORMAT       read the document as this format (see `agentsdisc\n                        formats`) instead of detecting it\n  --url URL             where the document was fetched from: helps to detect\n                        the format (default: the file's path)\n  --max-bytes N         size of the largest document to read, such as 4M\n                        (default: 1M)\n",
  "decide": "usage: agentsdisc decide [-h] [--robots FILE | --robots-status STATUS]\n                         [--origin URL] [--keys FILE] [--purpose PURPOSE]\n                         [--max-bytes N] [--user-agent NAME]\n                         [--timeout SECONDS] [--allow-private] [--no-cache]\n                         --agent UA [--url URL | --capability ID]\n                         [--method METHOD] [--approve URL]\n                         [--content-usage VALUE] [--json]\n                         FILE|URL [FILE|URL ...]\n\nDecides a request by the documents of one site, and prints the line that\ndecides it. Without --url and --capability, lists all capabilities as\n`agentsdisc tools` does. Requests the documents from the site if a URL is\ngiven. Exit code 0 if the request is allowed, 1 if not, 2 if a document cannot\nbe read or the arguments are invalid.\n\npositional arguments:\n  FILE|URL              documents of one site, - for standard input, or the\n                        URL of a site, whose documents are requested\n\noptions:\n  -h, --help            show this help message and exit\n  --robots FILE         the robots.txt of the site\n  --robots-status STATUS\n                        the HTTP error status of robots.txt, such as 404 or\n                        503\n  --origin URL          the origin the documents were fetched from (default:\n                        the one they state)\n  --keys FILE           a JWK Set of keys that you trust: signed agent cards\n                        are verified with it, of a valid one only what is\n                        signed permits anything, and one whose signature is\n                        not valid allows nothing; needs agentsdisc[verify]\n  --purpose PURPOSE     what the content is used for: train-ai, search, ai-\n                        input or another label of AI preferences\n  --max-bytes N         size of the largest document to read, such as 4M\n                        (default: 1M)\n  --agent UA            the agent: its product token, or its User-Agent\n  --url URL             the URL to request, or a path on the site\n  --capability ID       the capability to use\n  --method METHOD       the HTTP method (default: GET for a URL, the declared\n                        method for a capability)\n  --approve URL         an endpoint on another domain that you approve; may be\n                        repeated\n  --content-usage VALUE\n                        the Content-Usage header of the answer, which counts\n                        beside the robots.txt\n  --json                print the decision as JSON\n\nHTTP:\n  --user-agent NAME     the User-Agent to send, such as 'MyBot/1.0\n                        (+https://bot.example)'\n  --timeout SECONDS     time limit for the whole command (default: 60)\n  --allow-private       connect to the host that you name also if its address\n                        is private or loopback; other hosts must be public\n  --no-cache            neither store answers nor use stored ones\n",
  "tools": "usage: agentsdisc tools [-h] [--robots FILE | --robots-status STATUS]\n                        [--origin URL] [--keys FILE] [--purpose PURPOSE]\n                        [--max-bytes N] [--user-agent NAME]\n                        [--timeout SECONDS] [--allow-private] [--no-cache]\n                        --agent UA [--approve URL]\n                        [--json | --style {openai,anthropic,mcp}]\n                        FILE|URL [FILE|URL ...]\n\nLists the capabilities in the documents of one site with the decision about\neach of them. Requests the documents from the site if a URL is given. Exit\ncode 0 if the agent may call any of them, 1 if none, 2 if a document cannot be\nread or the arguments are invalid.\n\npositional arguments:\n  FILE|URL              documents of one site, - for standard input, or the\n                        URL of a site, whose documents are requested\n\noptions:\n  -h, --help            show this help message and exit\n  --robots FILE         the robots.txt of the site\n  --robots-status STATUS\n                        the HTTP error status of robots.txt, such as 404 or\n                        503\n  --origin URL          the origin the documents were fetched from (default:\n                        the one they state)\n  --keys FILE           a JWK Set of keys that you trust: signed agent cards\n                        are verified with it, of a valid one only what is\n                        signed permits anything, and one whose signature is\n                        not valid allows nothing; needs agentsdisc[verify]\n  --purpose PURPOSE     what the content is used for: train-ai, search, ai-\n                        input or another label of AI preferences\n  --max-bytes N         size of the largest document to read, such as 4M\n                        (default: 1M)\n  --agent UA            the agent: its product token, or its User-Agent\n  --approve URL         an endpoint on another domain that you approve; may be\n                        repeated\n  --json                print the capabilities as JSON, with the schemas of\n                        their arguments\n  --style {openai,anthropic,mcp}\n                        print those that are allowed as the tools of a model\n\nHTTP:\n  --user-agent NAME     the User-Agent to send, such as 'MyBot/1.0\n                        (+https://bot.example)'\n  --timeout SECONDS     time limit for the whole command (default: 60)\n  --allow-private       connect to the host that you name also if its address\n                        is private or loopback; other hosts must be public\n  --no-cache            neither store answers nor use stored ones\n",
  "formats": "usage: agentsdisc formats [-h]\n\nLists the formats. Formats that are read can be parsed; formats that are\nrecognized are only detected.\n\noptions:\n  -h, --help  show this help message and exit\n"
};

/** What is known about the code of a finding. */
export interface Explained {
  readonly code: string;
  readonly severity: string;
  readonly about: string;
  readonly why: string;
  readonly help: string;
  readonly points_at?: string;
  readonly format?: string;
  readonly wrong?: string;
  readonly message?: string;
  readonly spec?: string;
  readonly section?: string;
  readonly right?: string;
}

/** What is known about each code of a finding. */
export const EXPLAINED: { readonly [code: string]: Explained } = {
  "base-url-path": {
    "code": "base-url-path",
    "severity": "info",
    "points_at": "the base URL",
    "about": "The base URL has a path: a reference that is a path is appended to it, although RFC 3986 would replace it or its last segment.",
    "why": "Readers join paths differently: RFC 3986 would drop the path of the base, so one of them calls a wrong URL.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/base-url-path.md",
    "format": "adp",
    "wrong": "{\"base_url\": \"https://api.mugs.example/v2\", \"capabilities\": [{\"name\": \"search\", \"detail_url\": \"/search\"}]}",
    "message": "`https://api.mugs.example/v2` has a path: clients append a path to it, although RFC 3986 would replace it or its last segment; write absolute URLs to avoid the ambiguity",
    "spec": "Agent Discovery Protocol 1.0",
    "section": "2",
    "right": "{\"base_url\": \"https://api.mugs.example\", \"capabilities\": [{\"name\": \"search\", \"detail_url\": \"/v2/search\"}]}"
  },
  "base-url-query": {
    "code": "base-url-query",
    "severity": "warning",
    "points_at": "the base URL",
    "about": "The base URL has a query or fragment, which is dropped where a reference is resolved with it.",
    "why": "The query is dropped when a reference is resolved, so what it states never reaches the server.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/base-url-query.md",
    "format": "adp",
    "wrong": "{\"base_url\": \"https://api.mugs.example/?v=1\"}",
    "message": "`https://api.mugs.example/?v=1` has a query or fragment, which clients drop when they resolve a path with it; declare the query as parameters of the capabilities",
    "spec": "Agent Discovery Protocol 1.0",
    "section": "2",
    "right": "{\"base_url\": \"https://api.mugs.example\"}"
  },
  "blocked-by-robots": {
    "code": "blocked-by-robots",
    "severity": "error",
    "about": "The site's own robots.txt disallows the document, so agents that respect it never read it.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "byte-order-mark": {
    "code": "byte-order-mark",
    "severity": "info",
    "points_at": "the mark",
    "about": "The document starts with a UTF-8 byte order mark, which is skipped.",
    "why": "Some readers take the mark for a part of the first field and lose that line.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/byte-order-mark.md",
    "format": "robots-txt",
    "wrong": "﻿User-agent: *\nDisallow: /cart/\n",
    "message": "the document starts with a byte order mark, which is ignored; save the file without one",
    "spec": "RFC 9309",
    "section": "2.2",
    "right": "User-agent: *\nDisallow: /cart/\n"
  },
  "companion-differs": {
    "code": "companion-differs",
    "severity": "error",
    "about": "agents.txt and agents.json differ (warning for descriptions and contacts, which do not affect decisions), or ard.json and ai-catalog.json.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "companion-location": {
    "code": "companion-location",
    "severity": "warning",
    "points_at": "the value",
    "about": "The URL of the companion document is off the site or off the well-known path, where agents do not look.",
    "why": "Agents look for the companion only at the well-known path of the site.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/companion-location.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAgents-JSON: https://mugs.example/files/agents.json\nAllow: /\n",
    "message": "agents expect the companion at /.well-known/agents.json of the site, not at `https://mugs.example/files/agents.json`; publish it there",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "3.2",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAgents-JSON: https://mugs.example/.well-known/agents.json\nAllow: /\n"
  },
  "companion-missing": {
    "code": "companion-missing",
    "severity": "error",
    "about": "A document requires or names an agents.json that the site does not serve, or serves in another format.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "contradiction": {
    "code": "contradiction",
    "severity": "warning",
    "points_at": "the value",
    "about": "Two members contradict each other; the stricter one counts, or the one that the message names.",
    "why": "Two readers of the document behave differently, and decisions take the stricter value.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/contradiction.md",
    "format": "agents-json-0.1",
    "wrong": "{\"rate_limit\": {\"requests_per_minute\": 5, \"max_requests_per_minute\": 50}}",
    "message": "`requests_per_minute` counts, but `max_requests_per_minute` has another value; keep one of the two",
    "spec": "agents.txt 0.1.0",
    "section": "",
    "right": "{\"rate_limit\": {\"requests_per_minute\": 5}}"
  },
  "control-character": {
    "code": "control-character",
    "severity": "warning",
    "points_at": "the character",
    "about": "A text document contains a control character other than tab and line end, or a blank or an invisible mark that is not ASCII.",
    "why": "An invisible character makes a rule match other paths than those that a person reads.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/control-character.md",
    "format": "robots-txt",
    "wrong": "User-agent: *\nDisallow: /cart/​\n",
    "message": "this has a blank or an invisible mark that is not ASCII, which other readers take for text; replace it by a space, or remove it",
    "spec": "RFC 9309",
    "section": "2.2",
    "right": "User-agent: *\nDisallow: /cart/\n"
  },
  "credential-in-document": {
    "code": "credential-in-document",
    "severity": "error",
    "points_at": "the value",
    "about": "A value looks like a real credential. The message does not repeat it.",
    "why": "Everybody can read the document, so the key must count as stolen.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/credential-in-document.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n# key AKIAR5WM3TQZ8NVC2KXB\nAllow: /\n",
    "message": "a value looks like a real credential; revoke it, and describe only how to get one",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "6",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n# ask keys@mugs.example for a key\nAllow: /\n"
  },
  "cross-origin-endpoint": {
    "code": "cross-origin-endpoint",
    "severity": "error",
    "points_at": "the endpoint",
    "about": "An endpoint is on another registrable domain than the document (warning if that is uncertain, info if it is written as an absolute URL).",
    "why": "Agents do not send requests or credentials to another site unless their user approves it.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/cross-origin-endpoint.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://cups.example/search\n  Protocol: REST\n",
    "message": "`https://cups.example/search` is on another domain than the site, so agents call it only if their user approves it",
    "spec": "agentsdisc",
    "section": "",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n"
  },
  "dead-link": {
    "code": "dead-link",
    "severity": "warning",
    "about": "A link of the home page, of robots.txt or of a catalog leads to no document that agents can read.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "dependency-cycle": {
    "code": "dependency-cycle",
    "severity": "error",
    "points_at": "the key of one action of the cycle",
    "about": "Actions require each other, so none of them can ever run.",
    "why": "No order exists in which the actions can run.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/dependency-cycle.md",
    "format": "awp",
    "wrong": "{\"dependencies\": {\"pay\": [\"ship\"], \"ship\": [\"pay\"]}}",
    "message": "`pay` requires itself (pay → ship → pay), so none of these actions can ever run; remove one of the dependencies",
    "spec": "Agent Web Protocol 0.2",
    "section": "11",
    "right": "{\"dependencies\": {\"ship\": [\"pay\"]}}"
  },
  "deprecated-field": {
    "code": "deprecated-field",
    "severity": "info",
    "points_at": "the key",
    "about": "A field is of an older version of the specification; it is read.",
    "why": "Newer readers do not know the member.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/deprecated-field.md",
    "format": "a2a-agent-card",
    "wrong": "{\"name\": \"Mugs\", \"supportedInterfaces\": [{\"url\": \"https://mugs.example/a2a\", \"protocolBinding\": \"JSONRPC\", \"protocolVersion\": \"1.0\"}], \"protocolVersion\": \"1.0\"}",
    "message": "`protocolVersion` is of an older version, and is read; write `protocolVersion` of each of `supportedInterfaces` for callers of A2A 1.0",
    "spec": "A2A",
    "section": "4.4.1",
    "right": "{\"name\": \"Mugs\", \"supportedInterfaces\": [{\"url\": \"https://mugs.example/a2a\", \"protocolBinding\": \"JSONRPC\", \"protocolVersion\": \"1.0\"}]}"
  },
  "detail-missing": {
    "code": "detail-missing",
    "severity": "error",
    "about": "The detail of a capability is not served: the server answers with another status than 200, or not at all.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "detail-name": {
    "code": "detail-name",
    "severity": "error",
    "about": "A detail describes another capability than the one that the manifest names it for.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "detail-not-checked": {
    "code": "detail-not-checked",
    "severity": "info",
    "about": "The detail of a capability is not requested: it is on another site, its URL is invalid, or there are more than 64.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "detail-unreadable": {
    "code": "detail-unreadable",
    "severity": "error",
    "about": "The detail of a capability is not JSON, or not a detail.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "disallowed-endpoint": {
    "code": "disallowed-endpoint",
    "severity": "warning",
    "points_at": "the endpoint",
    "about": "The document's own Disallow rules deny the endpoint of a capability that it declares.",
    "why": "Agents that respect the rules cannot call the capability.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/disallowed-endpoint.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /api/\nCapability: search\n  Endpoint: https://mugs.example/api/search\n  Protocol: REST\n",
    "message": "the rules of the document disallow `https://mugs.example/api/search`; allow it, or remove the capability",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.6",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /cart/\nCapability: search\n  Endpoint: https://mugs.example/api/search\n  Protocol: REST\n"
  },
  "document-cut": {
    "code": "document-cut",
    "severity": "warning",
    "points_at": "what is left out",
    "about": "A robots.txt is longer than the limit: the line that crosses the limit and everything after it have no effect.",
    "why": "The rules behind the limit do not protect the site.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/document-cut.md"
  },
  "duplicate-agent": {
    "code": "duplicate-agent",
    "severity": "warning",
    "points_at": "the second name",
    "about": "Two policies have the same agent name (letter case ignored); the last one counts.",
    "why": "Readers take different ones of the policies.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/duplicate-agent.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAgent: MugBot\n  Capabilities: search\nAgent: mugbot\n  Capabilities: order\n",
    "message": "there is an earlier policy for `mugbot`, and only the last one counts; keep one",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.7",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAgent: MugBot\n  Capabilities: search, order\n"
  },
  "duplicate-field": {
    "code": "duplicate-field",
    "severity": "warning",
    "points_at": "the later key (of `Flow-Description` the earlier one)",
    "about": "A field with a single value is repeated; the last one counts.",
    "why": "Readers take different ones of the values.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/duplicate-field.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nSite-Name: Cups\nAllow: /\n",
    "message": "`Site-Name` is repeated, and only the last one counts; keep one",
    "spec": "agentsdisc",
    "section": "",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n"
  },
  "duplicate-id": {
    "code": "duplicate-id",
    "severity": "error",
    "points_at": "the second id",
    "about": "Two capabilities or actions have the same id (warning for flows of one name).",
    "why": "An agent cannot name one of the capabilities, and readers call different ones.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/duplicate-id.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/a\n  Protocol: REST\nCapability: search\n  Endpoint: https://mugs.example/b\n  Protocol: REST\n",
    "message": "the id `search` is used by an earlier capability; ids must be unique",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/a\n  Protocol: REST\nCapability: find\n  Endpoint: https://mugs.example/b\n  Protocol: REST\n"
  },
  "duplicate-section": {
    "code": "duplicate-section",
    "severity": "warning",
    "points_at": "the second heading",
    "about": "A known section occurs again; the items of all of them count.",
    "why": "A reader that takes one section misses the items of the others.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/duplicate-section.md",
    "format": "agents-md",
    "wrong": "# Mugs\n\n## Can\n\n- Browse\n\n## Can\n\n- Compare\n",
    "message": "the section `Can` is repeated; the items of both count",
    "spec": "agents.md 1.0.0-draft",
    "section": "3",
    "right": "# Mugs\n\n## Can\n\n- Browse\n- Compare\n"
  },
  "empty-value": {
    "code": "empty-value",
    "severity": "warning",
    "points_at": "the value, or the key if there is none",
    "about": "A value or an item of a list is empty (error if it is required).",
    "why": "A required member that is empty states as little as a missing one.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/empty-value.md",
    "format": "agents-json",
    "wrong": "{\"specVersion\": \"1.0\", \"site\": {\"name\": \"\", \"url\": \"https://mugs.example\"}}",
    "message": "`name` is required, but it is empty; write a value",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.4",
    "right": "{\"specVersion\": \"1.0\", \"site\": {\"name\": \"Mugs\", \"url\": \"https://mugs.example\"}}"
  },
  "endpoint-location": {
    "code": "endpoint-location",
    "severity": "info",
    "points_at": "the endpoint",
    "about": "An endpoint is not at the recommended path.",
    "why": "Readers try the recommended path before they read the document.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/endpoint-location.md",
    "format": "agents-md",
    "wrong": "# Mugs\n\n## MCP\n\nendpoint: https://mugs.example/mcp\n",
    "message": "the MCP endpoint `https://mugs.example/mcp` is not at the recommended `/.well-known/mcp`",
    "spec": "agents.md 1.0.0-draft",
    "section": "4",
    "right": "# Mugs\n\n## MCP\n\nendpoint: https://mugs.example/.well-known/mcp\n"
  },
  "entry-without-link": {
    "code": "entry-without-link",
    "severity": "info",
    "points_at": "the item",
    "about": "An item in a section of links has no link; only the first one of a section is reported.",
    "why": "Readers collect the links of a section and skip everything else.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/entry-without-link.md",
    "format": "llms-txt",
    "wrong": "# Mugs\n\n## Docs\n\n- The manual\n- [API](https://mugs.example/api.md)\n",
    "message": "this item has no link; write `- [name](url): notes`",
    "spec": "llms.txt",
    "section": "Format",
    "right": "# Mugs\n\n## Docs\n\n- [Manual](https://mugs.example/manual.md)\n- [API](https://mugs.example/api.md)\n"
  },
  "field-in-comment": {
    "code": "field-in-comment",
    "severity": "warning",
    "points_at": "the field in the comment",
    "about": "A header field is in a comment, as some generators write it; it is read because the field itself is missing.",
    "why": "Readers skip comments, so for them the field is missing.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/field-in-comment.md",
    "format": "agents-txt",
    "wrong": "# Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n",
    "message": "`Spec-Version` is in a comment; write it as a field",
    "spec": "agentsdisc",
    "section": "",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n"
  },
  "implied-auth": {
    "code": "implied-auth",
    "severity": "warning",
    "points_at": "the value that implies it",
    "about": "No authentication type is given, but another field implies one.",
    "why": "An agent has to guess how to authenticate.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/implied-auth.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: order\n  Endpoint: https://mugs.example/orders\n  Protocol: REST\n  Scopes: orders\n",
    "message": "the authentication type is missing; oauth2 is assumed because of the scopes; add it",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: order\n  Endpoint: https://mugs.example/orders\n  Protocol: REST\n  Auth: oauth2\n  Auth-Endpoint: https://mugs.example/token\n  Scopes: orders\n"
  },
  "implied-prefix": {
    "code": "implied-prefix",
    "severity": "info",
    "points_at": "the header",
    "about": "A custom header is named without a prefix: agents send the bare key, without `Bearer`.",
    "why": "A server that expects `Bearer` before the key rejects the bare key.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/implied-prefix.md",
    "format": "adp",
    "wrong": "{\"auth\": {\"type\": \"api_key\", \"header\": \"X-Api-Key\"}}",
    "message": "clients send the key in `X-Api-Key` without a prefix, because only Authorization defaults to `Bearer`; write `prefix` if the service expects one",
    "spec": "Agent Discovery Protocol 1.0",
    "section": "3",
    "right": "{\"auth\": {\"type\": \"api_key\", \"header\": \"X-Api-Key\", \"prefix\": \"\"}}"
  },
  "indented-field": {
    "code": "indented-field",
    "severity": "warning",
    "points_at": "the key",
    "about": "A top-level field is indented; it is still read as a top-level field, except for what the block of an agent allows.",
    "why": "Indentation makes a field look like a part of a block, and other readers may take it for one.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/indented-field.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n  Allow: /\n",
    "message": "`Allow` belongs to the document, not to a block; do not indent it",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.2",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n"
  },
  "inline-comment": {
    "code": "inline-comment",
    "severity": "warning",
    "points_at": "the comment",
    "about": "A value contains a blank and a #. In patterns, agent names and lists of capabilities of agents.txt this begins a comment; elsewhere it is part of the value.",
    "why": "Other readers take the comment for a part of the value.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/inline-comment.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /cart/ # not for agents\n",
    "message": "`# not for agents` is read as a comment, but other readers take it for a part of the value; move it to a line of its own",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.2",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n# not for agents\nDisallow: /cart/\n"
  },
  "insecure-transport": {
    "code": "insecure-transport",
    "severity": "error",
    "about": "The document is served without encryption (info on a loopback host).",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "insecure-url": {
    "code": "insecure-url",
    "severity": "error",
    "points_at": "the value",
    "about": "A URL is http or ws where a secure scheme is required (info on localhost and loopback addresses).",
    "why": "Anybody on the way can read and change the request, also its credentials.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/insecure-url.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: http://mugs.example/search\n  Protocol: REST\n",
    "message": "`http://mugs.example/search` is not secure; use https",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n"
  },
  "invalid-cache-control": {
    "code": "invalid-cache-control",
    "severity": "warning",
    "about": "Cache-Control has an invalid lifetime, or two different ones.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "invalid-length": {
    "code": "invalid-length",
    "severity": "error",
    "points_at": "the value",
    "about": "A text is shorter or longer than allowed.",
    "why": "Readers cut or reject texts of other lengths.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/invalid-length.md",
    "format": "mcp-server-card",
    "wrong": "{\"name\": \"com.example/mugs\", \"description\": \"Finds mugs and cups of clay. Finds mugs and cups of clay. Finds mugs and cups of clay. Finds mugs and cups of clay. \"}",
    "message": "`Finds mugs and cups of clay. Finds mugs and cups of clay. Finds mugs and cups of…` is longer than 100 characters; shorten the description",
    "spec": "MCP server card",
    "section": "",
    "right": "{\"name\": \"com.example/mugs\", \"description\": \"Finds mugs and cups of clay.\"}"
  },
  "invalid-rate-limit": {
    "code": "invalid-rate-limit",
    "severity": "error",
    "points_at": "the value",
    "about": "A rate limit is not a positive integer and a window (warning if it is zero).",
    "why": "A limit that cannot be read protects nothing.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/invalid-rate-limit.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n  Rate-Limit: often\n",
    "message": "`often` is not a valid rate limit; write a number and a window, for example 60/minute",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n  Rate-Limit: 30/minute\n"
  },
  "invalid-timestamp": {
    "code": "invalid-timestamp",
    "severity": "error",
    "points_at": "the value",
    "about": "A date and time is not in ISO 8601 format.",
    "why": "Readers cannot tell how old the document is.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/invalid-timestamp.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nGenerated-At: yesterday\nAllow: /\n",
    "message": "`yesterday` is not a valid timestamp; use RFC 3339, for example 2026-02-01T00:00:00Z",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.3",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nGenerated-At: 2026-02-01T00:00:00Z\nAllow: /\n"
  },
  "invalid-url": {
    "code": "invalid-url",
    "severity": "error",
    "points_at": "the value",
    "about": "A value is not a valid absolute URL.",
    "why": "No client can request it.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/invalid-url.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: mugs.example\nAllow: /\n",
    "message": "`mugs.example` is not an absolute URL with a host; write one such as https://example.com/path",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.4",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n"
  },
  "invalid-value": {
    "code": "invalid-value",
    "severity": "error",
    "points_at": "the value",
    "about": "A value is not one of the values that the field allows.",
    "why": "Readers ignore values that they do not know, or reject the document.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/invalid-value.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: HTTP\n",
    "message": "the specification does not define the protocol `HTTP`; use REST, MCP, A2A, GraphQL or WebSocket",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n"
  },
  "link-without-url": {
    "code": "link-without-url",
    "severity": "warning",
    "points_at": "the link",
    "about": "A link has no URL, or refers to a definition that is missing.",
    "why": "There is nothing that a reader could request.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/link-without-url.md",
    "format": "llms-txt",
    "wrong": "# Mugs\n\n## Docs\n\n- [API]()\n- [Manual](https://mugs.example/manual.md)\n",
    "message": "`[API]()` has no URL; write it in the parentheses: `[name](url)`",
    "spec": "llms.txt",
    "section": "Format",
    "right": "# Mugs\n\n## Docs\n\n- [API](https://mugs.example/api.md)\n- [Manual](https://mugs.example/manual.md)\n"
  },
  "locations-differ": {
    "code": "locations-differ",
    "severity": "warning",
    "about": "The documents at the well-known location and at the root differ; agents use the well-known one.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "lone-surrogate": {
    "code": "lone-surrogate",
    "severity": "warning",
    "points_at": "the value",
    "about": "A JSON string escapes half of a surrogate pair; it reads as U+FFFD.",
    "why": "No text has half of a character, so readers replace or reject it.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/lone-surrogate.md",
    "format": "agents-json",
    "wrong": "{\"specVersion\": \"1.0\", \"site\": {\"name\": \"Mugs \\ud83d\", \"url\": \"https://mugs.example\"}}",
    "message": "a \\u escape is half of a surrogate pair, which reads as U+FFFD; write both halves",
    "spec": "RFC 8259",
    "section": "8.2",
    "right": "{\"specVersion\": \"1.0\", \"site\": {\"name\": \"Mugs \\ud83c\\udf75\", \"url\": \"https://mugs.example\"}}"
  },
  "long-line": {
    "code": "long-line",
    "severity": "warning",
    "points_at": "the line",
    "about": "A line is longer than the limit and is skipped.",
    "why": "Readers skip the line, so what it states is lost.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/long-line.md"
  },
  "malformed-line": {
    "code": "malformed-line",
    "severity": "error",
    "points_at": "the line",
    "about": "A line is not a field, a comment or blank: it has no colon, or nothing before it.",
    "why": "Readers skip the line, so what it states is lost.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/malformed-line.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nthese are the rules\nAllow: /\n",
    "message": "`these are the rules` is not a field, and a value cannot continue on the next line; write the value on one line, or `#` before a comment",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.2",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n# these are the rules\nAllow: /\n"
  },
  "misplaced-field": {
    "code": "misplaced-field",
    "severity": "warning",
    "points_at": "the key",
    "about": "A field of a block appears outside such a block.",
    "why": "A field outside of its block belongs to no capability, so it has no effect.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/misplaced-field.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nProtocol: REST\nAllow: /\n",
    "message": "`Protocol` is only valid in a `Capability` block; move it into one",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n"
  },
  "misplaced-front-matter": {
    "code": "misplaced-front-matter",
    "severity": "error",
    "points_at": "the line",
    "about": "What looks like front matter does not start on the first line, or its first line is not exactly three dashes; it is read as Markdown.",
    "why": "Readers look for front matter only at the start, so its settings are lost.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/misplaced-front-matter.md",
    "format": "agents-md",
    "wrong": "\n---\nversion: 1.0\n---\n\n# Mugs\n\n## Can\n\n- Browse\n",
    "message": "front matter starts on the first line, with `---` alone, so this is read as Markdown; remove what stands before and behind it",
    "spec": "agents.md 1.0.0-draft",
    "section": "2",
    "right": "---\nversion: 1.0\n---\n\n# Mugs\n\n## Can\n\n- Browse\n"
  },
  "misplaced-part": {
    "code": "misplaced-part",
    "severity": "warning",
    "points_at": "the part",
    "about": "A part of the document is not where the specification puts it: text before the title, a summary behind other text, a link in no section, a heading of a lower level (info for the last two).",
    "why": "Readers look for the title first and for the summary directly below it.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/misplaced-part.md",
    "format": "llms-txt",
    "wrong": "Mugs of clay.\n\n# Mugs\n\n## Docs\n\n- [API](https://mugs.example/api.md)\n",
    "message": "this stands before the title; move it below the line `# Name`",
    "spec": "llms.txt",
    "section": "Format",
    "right": "# Mugs\n\n> Mugs of clay.\n\n## Docs\n\n- [API](https://mugs.example/api.md)\n"
  },
  "missing-cache-control": {
    "code": "missing-cache-control",
    "severity": "warning",
    "about": "Cache-Control is absent, so agents choose how long they keep the document (info if it is only recommended).",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "missing-colon": {
    "code": "missing-colon",
    "severity": "warning",
    "points_at": "the line",
    "about": "A field has no colon; it is read because a blank separates its name from a single word.",
    "why": "Many readers skip a line without a colon, so the rule has no effect for them.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/missing-colon.md",
    "format": "robots-txt",
    "wrong": "User-agent: *\nDisallow /cart/\n",
    "message": "the colon after `Disallow` is missing",
    "spec": "RFC 9309",
    "section": "2.2",
    "right": "User-agent: *\nDisallow: /cart/\n"
  },
  "missing-confirmation": {
    "code": "missing-confirmation",
    "severity": "warning",
    "points_at": "the sensitivity",
    "about": "An irreversible action does not require confirmation by a person (info if it is only destructive).",
    "why": "An agent may do what cannot be undone without asking a person.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/missing-confirmation.md",
    "format": "awp",
    "wrong": "{\"actions\": [{\"id\": \"close\", \"auth_required\": true, \"sensitivity\": \"irreversible\"}]}",
    "message": "the action is `irreversible`, so agents must ask a person first; set `requires_human_confirmation` to true",
    "spec": "Agent Web Protocol 0.2",
    "section": "9",
    "right": "{\"actions\": [{\"id\": \"close\", \"auth_required\": true, \"sensitivity\": \"irreversible\", \"requires_human_confirmation\": true}]}"
  },
  "missing-content-type": {
    "code": "missing-content-type",
    "severity": "error",
    "about": "Content-Type is absent.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "missing-cors": {
    "code": "missing-cors",
    "severity": "warning",
    "about": "Access-Control-Allow-Origin does not allow every origin, so programs in browsers cannot read the document (info if it is only recommended).",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "missing-cors-methods": {
    "code": "missing-cors-methods",
    "severity": "info",
    "about": "Access-Control-Allow-Methods does not name GET and OPTIONS.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "missing-recommended-field": {
    "code": "missing-recommended-field",
    "severity": "warning",
    "points_at": "the object or block",
    "about": "A field that is expected here is missing.",
    "why": "Agents work without the field, but have to guess what it would say.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/missing-recommended-field.md",
    "format": "awp",
    "wrong": "{\"actions\": []}",
    "message": "`errors` is missing or empty, so agents cannot recover from errors; add a recovery for each expected error",
    "spec": "Agent Web Protocol 0.2",
    "section": "15",
    "right": "{\"actions\": [], \"errors\": {\"RATE_LIMITED\": {\"recovery\": \"wait 60 seconds\"}}}"
  },
  "missing-required-field": {
    "code": "missing-required-field",
    "severity": "error",
    "points_at": "the object or block",
    "about": "A required field is missing.",
    "why": "Readers may reject the document without it.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/missing-required-field.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nAllow: /\n",
    "message": "`Site-URL` is missing in the site; add it",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.4",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n"
  },
  "missing-root-copy": {
    "code": "missing-root-copy",
    "severity": "info",
    "about": "The document is not also at the root, where some agents look for it.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "misspelled-field": {
    "code": "misspelled-field",
    "severity": "warning",
    "points_at": "the key",
    "about": "The specification does not define the field, but one with a similar name; the field has no effect.",
    "why": "The field has no effect under this name.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/misspelled-field.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDissalow: /cart/\nAllow: /\n",
    "message": "the specification does not define `Dissalow`; did you mean `Disallow`?",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /cart/\nAllow: /\n"
  },
  "no-access-rules": {
    "code": "no-access-rules",
    "severity": "info",
    "points_at": "the start",
    "about": "The document has no access rules: only the endpoints of capabilities are permitted.",
    "why": "Agents may access only the endpoints of capabilities, which is rarely meant.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/no-access-rules.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n",
    "message": "there are no access rules, so agents may only access the endpoints of capabilities; if this is not intended, add `Allow` or `Disallow`",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.6",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n"
  },
  "no-known-section": {
    "code": "no-known-section",
    "severity": "warning",
    "points_at": "the start",
    "about": "The document has none of the sections that the specification defines.",
    "why": "Nothing in the document tells an agent what it may do.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/no-known-section.md",
    "format": "agents-md",
    "wrong": "# Mugs\n\n## Hello\n\nMugs of clay.\n",
    "message": "the document has none of the sections Can, Cannot, MCP, Behavior and Contact",
    "spec": "agents.md 1.0.0-draft",
    "section": "3",
    "right": "# Mugs\n\n## Can\n\n- Browse\n"
  },
  "nonstandard-contact": {
    "code": "nonstandard-contact",
    "severity": "warning",
    "points_at": "the value",
    "about": "A contact is not a plain email address (info if it is a mailto: URL).",
    "why": "Software that writes to the address fails.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/nonstandard-contact.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nSite-Contact: https://mugs.example/contact\nAllow: /\n",
    "message": "`https://mugs.example/contact` is a URL; use an email address",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.4",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nSite-Contact: agents@mugs.example\nAllow: /\n"
  },
  "nonstandard-field": {
    "code": "nonstandard-field",
    "severity": "warning",
    "points_at": "the key",
    "about": "A field has a name that the specification does not define; it is read.",
    "why": "Other readers may not know the name, so the line has no effect for them.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/nonstandard-field.md",
    "format": "robots-txt",
    "wrong": "User agent: *\nDisallow: /cart/\n",
    "message": "`User agent` is read as User-agent",
    "spec": "RFC 9309",
    "section": "2.2",
    "right": "User-agent: *\nDisallow: /cart/\n"
  },
  "nonstandard-link": {
    "code": "nonstandard-link",
    "severity": "warning",
    "points_at": "the link",
    "about": "An entry is not a list item that begins with a link; it is read (info if only the colon before the notes is missing).",
    "why": "Readers collect list items that begin with a link.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/nonstandard-link.md",
    "format": "llms-txt",
    "wrong": "# Mugs\n\n## Docs\n\n- See [the API](https://mugs.example/api.md)\n",
    "message": "`[the API](https://mugs.example/api.md)` is not written as a list item that begins with a link, as readers expect; write `- [name](url): notes`",
    "spec": "llms.txt",
    "section": "Format",
    "right": "# Mugs\n\n## Docs\n\n- [API](https://mugs.example/api.md): how to search\n"
  },
  "nonstandard-shape": {
    "code": "nonstandard-shape",
    "severity": "warning",
    "points_at": "the value",
    "about": "A member has a shape or name that the specification does not define; it is read.",
    "why": "Other readers may not know the shape, so they lose the value.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/nonstandard-shape.md",
    "format": "agents-json",
    "wrong": "{\"specVersion\": \"1.0\", \"capabilities\": [{\"id\": \"search\", \"params\": []}]}",
    "message": "`params` is read as `parameters`; use that name",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "{\"specVersion\": \"1.0\", \"capabilities\": [{\"id\": \"search\", \"parameters\": []}]}"
  },
  "not-answered": {
    "code": "not-answered",
    "severity": "warning",
    "about": "The time for the whole site was over before the location answered, so that nothing is known about it.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "not-checked": {
    "code": "not-checked",
    "severity": "info",
    "points_at": "the start",
    "about": "Part of the check was skipped because the scratch buffer is too small.",
    "why": "Two names may be equal without a finding.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/not-checked.md"
  },
  "not-compared": {
    "code": "not-compared",
    "severity": "info",
    "about": "The comparison of agents.txt and agents.json is incomplete: they are too large, in different order, or have too many differences.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "not-followed": {
    "code": "not-followed",
    "severity": "info",
    "about": "The site points to more documents than are requested.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "not-recognised": {
    "code": "not-recognised",
    "severity": "warning",
    "about": "The response at the location of a document is not a document of a format for that location.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "not-utf8": {
    "code": "not-utf8",
    "severity": "warning",
    "points_at": "the first invalid byte",
    "about": "The document is not UTF-8; its bytes are compared as they are.",
    "why": "Readers decode the bytes differently, so a rule may match other paths.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/not-utf8.md"
  },
  "nothing-served": {
    "code": "nothing-served",
    "severity": "error",
    "about": "The site serves no document for agents.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "one-space-indent": {
    "code": "one-space-indent",
    "severity": "warning",
    "points_at": "the line",
    "about": "One space does not count as indentation: the line is read as not indented.",
    "why": "Readers may take the line for a part of the block or not.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/one-space-indent.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n Endpoint: https://mugs.example/search\n  Protocol: REST\n",
    "message": "one space does not count as indentation; indent the fields of a block with two, and no other fields",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.2",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n"
  },
  "origin-mismatch": {
    "code": "origin-mismatch",
    "severity": "warning",
    "points_at": "the value",
    "about": "The document names another origin than the one it was fetched from.",
    "why": "Agents do not believe what a site says of another site.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/origin-mismatch.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://cups.example\nAllow: /\n",
    "message": "the document is for `https://cups.example`, but it was fetched from another origin",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.4",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n"
  },
  "pattern-without-slash": {
    "code": "pattern-without-slash",
    "severity": "warning",
    "points_at": "the pattern",
    "about": "A path pattern does not begin with / or *, so it matches nothing.",
    "why": "The rule matches no path, so what should be closed stays open.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/pattern-without-slash.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: cart/\n",
    "message": "`cart/` matches nothing; a pattern begins with / or *",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.6",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nDisallow: /cart/\n"
  },
  "placeholder": {
    "code": "placeholder",
    "severity": "warning",
    "points_at": "the value",
    "about": "A URL contains a placeholder, which is kept and not resolved.",
    "why": "Agents cannot request the URL without a value that only their user knows.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/placeholder.md",
    "format": "adp",
    "wrong": "{\"base_url\": \"https://{store}.mugs.example\"}",
    "message": "the URL contains the placeholder `store`, so clients cannot use it without a value from their user; write the URL of the service, or say where users find the value",
    "spec": "Agent Discovery Protocol 1.0",
    "section": "2",
    "right": "{\"base_url\": \"https://api.mugs.example\"}"
  },
  "private-address": {
    "code": "private-address",
    "severity": "warning",
    "points_at": "the URL",
    "about": "A public document refers to an address of a private or local network, which nobody else can reach.",
    "why": "Nobody outside of the network can reach it, and clients refuse it.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/private-address.md",
    "format": "ai-catalog",
    "wrong": "{\"specVersion\": \"1.0\", \"entries\": [{\"identifier\": \"urn:air:mugs.example:finder\", \"displayName\": \"Finder\", \"type\": \"application/a2a-agent-card+json\", \"url\": \"https://192.168.0.7/card.json\"}]}",
    "message": "`https://192.168.0.7/card.json` is on a private or local network, which nobody else can reach, and clients refuse it; write a public URL",
    "spec": "Agentic Resource Discovery",
    "section": "3.4",
    "right": "{\"specVersion\": \"1.0\", \"entries\": [{\"identifier\": \"urn:air:mugs.example:finder\", \"displayName\": \"Finder\", \"type\": \"application/a2a-agent-card+json\", \"url\": \"https://mugs.example/card.json\"}]}"
  },
  "redirected": {
    "code": "redirected",
    "severity": "info",
    "about": "A redirect leads to the document (warning if it leads to another host of the site).",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "redirected-away": {
    "code": "redirected-away",
    "severity": "error",
    "about": "Agents do not follow the redirect: it leaves the site, leads from https to http, is a loop, or exceeds the limit of redirects.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "refused": {
    "code": "refused",
    "severity": "error",
    "about": "The server refuses the document or fails; it sends neither the document nor a 404.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "relative-url": {
    "code": "relative-url",
    "severity": "info",
    "points_at": "the URL",
    "about": "A URL is relative, so readers must know where the document comes from.",
    "why": "A copy of the document, in a model's context for example, does not say from which site it is.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/relative-url.md",
    "format": "llms-txt",
    "wrong": "# Mugs\n\n## Docs\n\n- [API](/api.md)\n",
    "message": "`/api.md` is relative, so it leads nowhere in a copy of this document; write the whole URL",
    "spec": "llms.txt",
    "section": "Format",
    "right": "# Mugs\n\n## Docs\n\n- [API](https://mugs.example/api.md)\n"
  },
  "required-extension": {
    "code": "required-extension",
    "severity": "info",
    "points_at": "the identifier",
    "about": "An extension of the protocol is required, so callers that do not support it are refused.",
    "why": "Callers that do not support the extension are refused.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/required-extension.md",
    "format": "a2a-agent-card",
    "wrong": "{\"name\": \"Mugs\", \"capabilities\": {\"extensions\": [{\"uri\": \"https://mugs.example/ext/v1\", \"required\": true}]}}",
    "message": "callers that do not support the extension `https://mugs.example/ext/v1` are refused; require it only if the agent cannot work without it",
    "spec": "A2A",
    "section": "4.6.3",
    "right": "{\"name\": \"Mugs\", \"capabilities\": {\"extensions\": [{\"uri\": \"https://mugs.example/ext/v1\", \"required\": false}]}}"
  },
  "robots-unavailable": {
    "code": "robots-unavailable",
    "severity": "error",
    "about": "The server fails to send robots.txt, which disallows everything (RFC 9309).",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "section-without-links": {
    "code": "section-without-links",
    "severity": "warning",
    "points_at": "the heading",
    "about": "A section that is for links has none.",
    "why": "Readers collect the links of each section; a section without links gives them nothing.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/section-without-links.md",
    "format": "llms-txt",
    "wrong": "# Mugs\n\n## Docs\n",
    "message": "the section `Docs` has no links; list them as `- [name](url): notes`, or move its text between the title and the first section",
    "spec": "llms.txt",
    "section": "Format",
    "right": "# Mugs\n\n## Docs\n\n- [API](https://mugs.example/api.md)\n"
  },
  "self-reference": {
    "code": "self-reference",
    "severity": "warning",
    "points_at": "the URL",
    "about": "A catalog lists itself, so a reader that follows its entries would not end.",
    "why": "A reader that follows the entries would not end.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/self-reference.md",
    "format": "ai-catalog",
    "wrong": "{\"specVersion\": \"1.0\", \"entries\": [{\"identifier\": \"urn:air:mugs.example:all\", \"displayName\": \"All\", \"type\": \"application/ai-catalog+json\", \"url\": \"https://mugs.example/.well-known/ai-catalog.json\"}]}",
    "message": "`https://mugs.example/.well-known/ai-catalog.json` is this catalog; remove the entry",
    "spec": "agentsdisc",
    "section": "",
    "right": "{\"specVersion\": \"1.0\", \"entries\": [{\"identifier\": \"urn:air:mugs.example:more\", \"displayName\": \"More\", \"type\": \"application/ai-catalog+json\", \"url\": \"https://mugs.example/more.json\"}]}"
  },
  "several-titles": {
    "code": "several-titles",
    "severity": "warning",
    "points_at": "the later heading",
    "about": "The document has more than one heading of the first level; the first one is its title.",
    "why": "A reader that takes the last title, or expects one, reads another name.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/several-titles.md",
    "format": "llms-txt",
    "wrong": "# Mugs\n\n# Docs\n\n- [API](https://mugs.example/api.md)\n",
    "message": "`Docs` is a second title and is read as a section; write `## ` before its name",
    "spec": "llms.txt",
    "section": "Format",
    "right": "# Mugs\n\n## Docs\n\n- [API](https://mugs.example/api.md)\n"
  },
  "several-values": {
    "code": "several-values",
    "severity": "warning",
    "points_at": "the value",
    "about": "A value looks like a list of values, but may be read as a single value.",
    "why": "The line is one pattern, and no path has a blank, so the rule matches nothing.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/several-values.md",
    "format": "robots-txt",
    "wrong": "User-agent: *\nDisallow: /cart/ /account/\n",
    "message": "`/cart/ /account/` looks like several patterns, but is read as one with a blank, which no URL has; write a line for each",
    "spec": "RFC 9309",
    "section": "2.2.2",
    "right": "User-agent: *\nDisallow: /cart/\nDisallow: /account/\n"
  },
  "shadowed-section": {
    "code": "shadowed-section",
    "severity": "warning",
    "points_at": "the heading",
    "about": "The front matter has the same content as this section; the front matter counts.",
    "why": "The front matter counts, so what the section says is lost.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/shadowed-section.md",
    "format": "agents-md",
    "wrong": "---\nmcp:\n  endpoint: https://mugs.example/.well-known/mcp\n---\n\n# Mugs\n\n## MCP\n\nendpoint: https://mugs.example/mcp\n",
    "message": "the section `MCP` is ignored, because the front matter has `mcp`",
    "spec": "agents.md 1.0.0-draft",
    "section": "3",
    "right": "---\nmcp:\n  endpoint: https://mugs.example/.well-known/mcp\n---\n\n# Mugs\n\n## Can\n\n- Browse\n"
  },
  "soft-404": {
    "code": "soft-404",
    "severity": "warning",
    "about": "The server sends an HTML page with status 200 for a document that does not exist; agents may read the page as a document.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "too-many-diagnostics": {
    "code": "too-many-diagnostics",
    "severity": "info",
    "points_at": "the next one",
    "about": "More diagnostics were found than are reported.",
    "why": "The findings that are left out may be the important ones.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/too-many-diagnostics.md"
  },
  "unclosed-front-matter": {
    "code": "unclosed-front-matter",
    "severity": "error",
    "points_at": "the first line",
    "about": "Front matter is not closed; the document is read as Markdown from its first line.",
    "why": "Without its end, nothing of the front matter is read.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unclosed-front-matter.md",
    "format": "agents-md",
    "wrong": "---\nversion: 1.0\n\n# Mugs\n\n## Can\n\n- Browse\n",
    "message": "no line `---` closes the front matter, so the whole document is read as Markdown",
    "spec": "agents.md 1.0.0-draft",
    "section": "2",
    "right": "---\nversion: 1.0\n---\n\n# Mugs\n\n## Can\n\n- Browse\n"
  },
  "unclosed-group": {
    "code": "unclosed-group",
    "severity": "warning",
    "points_at": "the later User-agent line",
    "about": "Two User-agent lines have fields but no rule between them, which does not end a group: both agents get the same rules.",
    "why": "Both agents get the rules of the second group.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unclosed-group.md",
    "format": "robots-txt",
    "wrong": "User-agent: MugBot\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /cart/\n",
    "message": "no rule ends the group above, so `*` shares a group with its agents",
    "spec": "RFC 9309",
    "section": "2.2.4",
    "right": "User-agent: MugBot\nDisallow:\nCrawl-delay: 5\n\nUser-agent: *\nDisallow: /cart/\n"
  },
  "unexpected-field": {
    "code": "unexpected-field",
    "severity": "warning",
    "points_at": "the key",
    "about": "A field appears where the specification does not use it.",
    "why": "Other readers ignore it, so what it states has no effect for them.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unexpected-field.md",
    "format": "agents-txt-0.1",
    "wrong": "Site: Mugs\nURL: https://mugs.example\nAllow: mugs.search\nDisallow: admin\n",
    "message": "`Disallow` is a field of robots.txt, not of this format: decisions respect it, but other readers may not; write it in robots.txt",
    "spec": "agents.txt 0.1.0",
    "section": "Fields",
    "right": "Site: Mugs\nURL: https://mugs.example\nAllow: mugs.search\n"
  },
  "unindented-block-field": {
    "code": "unindented-block-field",
    "severity": "warning",
    "points_at": "the key",
    "about": "A field of a block is not indented; it is read into the open block.",
    "why": "Other readers may take it for a field of the document.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unindented-block-field.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\nEndpoint: https://mugs.example/search\n  Protocol: REST\n",
    "message": "`Endpoint` belongs to the block above; indent it with two spaces",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.2",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n"
  },
  "unknown-field": {
    "code": "unknown-field",
    "severity": "info",
    "points_at": "the key",
    "about": "The specification does not define the field; it is kept as metadata.",
    "why": "Readers ignore it, so it has no effect.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unknown-field.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nColour: red\nAllow: /\n",
    "message": "the specification does not define `Colour`; agents ignore it",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.5",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\n# Colour: red\nAllow: /\n"
  },
  "unknown-protocol": {
    "code": "unknown-protocol",
    "severity": "info",
    "points_at": "the key",
    "about": "The name of a protocol is not registered.",
    "why": "Agents do not know how to call it.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unknown-protocol.md",
    "format": "awp",
    "wrong": "{\"protocols\": {\"telepathy\": {\"version\": \"1\"}}}",
    "message": "`telepathy` is not a registered protocol; agents that do not know it ignore it",
    "spec": "Agent Web Protocol 0.2",
    "section": "5.5",
    "right": "{\"protocols\": {\"mcp\": {\"version\": \"2025-06-18\", \"endpoint\": \"https://mugs.example/mcp\"}}}"
  },
  "unknown-reference": {
    "code": "unknown-reference",
    "severity": "warning",
    "points_at": "the reference",
    "about": "A name refers to something that the document does not define.",
    "why": "An agent looks for something that does not exist.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unknown-reference.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAgent: MugBot\n  Capabilities: serach\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n",
    "message": "no capability has the id `serach`; declare it, or correct the reference",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.7",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAgent: MugBot\n  Capabilities: search\nCapability: search\n  Endpoint: https://mugs.example/search\n  Protocol: REST\n"
  },
  "unread-section": {
    "code": "unread-section",
    "severity": "warning",
    "points_at": "the line or block",
    "about": "A line looks like the heading of a known section but starts no section, or Cannot contains code or HTML; it is not read.",
    "why": "Readers find the section by its exact name.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unread-section.md",
    "format": "llms-txt",
    "wrong": "# Mugs\n\n## Optional pages\n\n- [History](https://mugs.example/history.md)\n",
    "message": "`Optional pages` is not named `Optional`, so its links count as required; write `## Optional`",
    "spec": "llms.txt",
    "section": "Format",
    "right": "# Mugs\n\n## Optional\n\n- [History](https://mugs.example/history.md)\n"
  },
  "unreadable": {
    "code": "unreadable",
    "severity": "error",
    "about": "The document cannot be read.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "unsuitable-cache-time": {
    "code": "unsuitable-cache-time",
    "severity": "warning",
    "about": "The lifetime of the document is less than a minute, so that agents request it too often, or more than a week.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "unsupported-version": {
    "code": "unsupported-version",
    "severity": "error",
    "points_at": "the value",
    "about": "The document follows a version that this library does not support.",
    "why": "A later version may give the fields another meaning.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/unsupported-version.md",
    "format": "agents-txt",
    "wrong": "Spec-Version: 7.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n",
    "message": "version `7.0` is unknown; this specification is 1.0",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "2.3",
    "right": "Spec-Version: 1.0\nSite-Name: Mugs\nSite-URL: https://mugs.example\nAllow: /\n"
  },
  "vague-recovery": {
    "code": "vague-recovery",
    "severity": "info",
    "points_at": "the value",
    "about": "A recovery names no endpoint or action, and does not say to wait or retry, so software cannot follow it.",
    "why": "Software cannot follow a sentence that names no action, endpoint or time.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/vague-recovery.md",
    "format": "awp",
    "wrong": "{\"actions\": [{\"id\": \"order\"}], \"errors\": {\"SOLD_OUT\": {\"recovery\": \"try again tomorrow\"}}}",
    "message": "`try again tomorrow` names neither an endpoint nor an action, and does not say to wait or to retry; name what to call",
    "spec": "Agent Web Protocol 0.2",
    "section": "10",
    "right": "{\"errors\": {\"SOLD_OUT\": {\"recovery\": \"wait 60 seconds, then retry\"}}}"
  },
  "wrong-content-type": {
    "code": "wrong-content-type",
    "severity": "error",
    "about": "The Content-Type is not that of the format (warning if the specification does not require it, or if only the charset is absent).",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "wrong-location": {
    "code": "wrong-location",
    "severity": "error",
    "about": "The document is only at another location than its specification requires.",
    "why": "",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/site-owners.md#check-how-it-is-served"
  },
  "wrong-type": {
    "code": "wrong-type",
    "severity": "error",
    "points_at": "the value",
    "about": "A member has a different JSON type than the specification defines, so it has no value.",
    "why": "The member has no value for readers.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/wrong-type.md",
    "format": "agents-json",
    "wrong": "{\"specVersion\": 1.0, \"site\": {\"name\": \"Mugs\", \"url\": \"https://mugs.example\"}}",
    "message": "`specVersion` must be a string; its value is ignored",
    "spec": "draft-car-agents-txt-wellknown-00",
    "section": "3",
    "right": "{\"specVersion\": \"1.0\", \"site\": {\"name\": \"Mugs\", \"url\": \"https://mugs.example\"}}"
  },
  "yaml-unsupported": {
    "code": "yaml-unsupported",
    "severity": "warning",
    "points_at": "the piece",
    "about": "A piece of YAML is not supported and counts as absent: an anchor, an alias, a tag, a tab as indentation, or invalid YAML.",
    "why": "Readers of front matter support a small part of YAML, so the piece is lost.",
    "help": "https://github.com/agentsdisc/agentsdisc/blob/main/docs/diagnostics/yaml-unsupported.md",
    "format": "agents-md",
    "wrong": "---\nversion: &v 1.0\n---\n\n# Mugs\n\n## Can\n\n- Browse\n",
    "message": "anchors are not supported, and the value counts as absent; write only the value",
    "spec": "agentsdisc",
    "section": "",
    "right": "---\nversion: 1.0\n---\n\n# Mugs\n\n## Can\n\n- Browse\n"
  }
};

/** Where sites have the documents of each format. */
export const PLACES: { readonly [format: string]: readonly string[] } = {
  "agents-txt": [
    "/.well-known/agents.txt",
    "/agents.txt"
  ],
  "agents-json": [
    "/.well-known/agents.json"
  ],
  "agents-txt-0.1": [
    "/.well-known/agents.txt",
    "/agents.txt"
  ],
  "agents-json-0.1": [
    "/.well-known/agents.json",
    "//agents.json"
  ],
  "agents-md": [
    "/.well-known/agents.md",
    "/agents.md"
  ],
  "awp": [
    "/agent.json",
    "/.well-known/agent.json"
  ],
  "adp": [
    "/.well-known/agent"
  ],
  "adp-capability": [],
  "adp-search": [],
  "robots-txt": [
    "/robots.txt"
  ],
  "llms-txt": [
    "/llms.txt",
    "/llms.txt",
    "/llms-full.txt"
  ],
  "a2a-agent-card": [
    "/.well-known/agent-card.json",
    "/.well-known/agent.json"
  ],
  "mcp-server-card": [
    "/.well-known/mcp/server-card.json",
    "/.well-known/mcp.json",
    "/server-card",
    "/server-card.json",
    "/server.json"
  ],
  "ai-catalog": [
    "/.well-known/ard.json",
    "/.well-known/ai-catalog.json"
  ],
  "agent-skills": [
    "/.well-known/agent-skills/index.json",
    "/.well-known/skills/index.json"
  ],
  "api-catalog": [
    "/.well-known/api-catalog"
  ],
  "openapi": [
    "/openapi.json"
  ],
  "ucp-profile": [
    "/.well-known/ucp"
  ],
  "signature-directory": [
    "/.well-known/http-message-signatures-directory"
  ],
  "oauth-protected-resource": [
    "/.well-known/oauth-protected-resource"
  ],
  "x402": [
    "/.well-known/x402",
    "/.well-known/x402.json"
  ],
  "oauth-authorization-server": [
    "/.well-known/oauth-authorization-server",
    "/.well-known/openid-configuration"
  ],
  "auth-md": [
    "/auth.md"
  ],
  "acp": [
    "/.well-known/acp.json"
  ]
};

/** Characters that take two columns of a terminal. */
export const WIDE: readonly (readonly [number, number])[] = [[888, 889], [896, 899], [907, 907], [909, 909], [930, 930], [1328, 1328], [1367, 1368], [1419, 1420], [1424, 1424], [1480, 1487], [1515, 1518], [1525, 1535], [1806, 1806], [1867, 1868], [1970, 1983], [2043, 2044], [2094, 2095], [2111, 2111], [2140, 2141], [2143, 2143], [2155, 2159], [2191, 2191], [2194, 2199], [2436, 2436], [2445, 2446], [2449, 2450], [2473, 2473], [2481, 2481], [2483, 2485], [2490, 2491], [2501, 2502], [2505, 2506], [2511, 2518], [2520, 2523], [2526, 2526], [2532, 2533], [2559, 2560], [2564, 2564], [2571, 2574], [2577, 2578], [2601, 2601], [2609, 2609], [2612, 2612], [2615, 2615], [2618, 2619], [2621, 2621], [2627, 2630], [2633, 2634], [2638, 2640], [2642, 2648], [2653, 2653], [2655, 2661], [2679, 2688], [2692, 2692], [2702, 2702], [2706, 2706], [2729, 2729], [2737, 2737], [2740, 2740], [2746, 2747], [2758, 2758], [2762, 2762], [2766, 2767], [2769, 2783], [2788, 2789], [2802, 2808], [2816, 2816], [2820, 2820], [2829, 2830], [2833, 2834], [2857, 2857], [2865, 2865], [2868, 2868], [2874, 2875], [2885, 2886], [2889, 2890], [2894, 2900], [2904, 2907], [2910, 2910], [2916, 2917], [2936, 2945], [2948, 2948], [2955, 2957], [2961, 2961], [2966, 2968], [2971, 2971], [2973, 2973], [2976, 2978], [2981, 2983], [2987, 2989], [3002, 3005], [3011, 3013], [3017, 3017], [3022, 3023], [3025, 3030], [3032, 3045], [3067, 3071], [3085, 3085], [3089, 3089], [3113, 3113], [3130, 3131], [3141, 3141], [3145, 3145], [3150, 3156], [3159, 3159], [3163, 3164], [3166, 3167], [3172, 3173], [3184, 3190], [3213, 3213], [3217, 3217], [3241, 3241], [3252, 3252], [3258, 3259], [3269, 3269], [3273, 3273], [3278, 3284], [3287, 3292], [3295, 3295], [3300, 3301], [3312, 3312], [3315, 3327], [3341, 3341], [3345, 3345], [3397, 3397], [3401, 3401], [3408, 3411], [3428, 3429], [3456, 3456], [3460, 3460], [3479, 3481], [3506, 3506], [3516, 3516], [3518, 3519], [3527, 3529], [3531, 3534], [3541, 3541], [3543, 3543], [3552, 3557], [3568, 3569], [3573, 3584], [3643, 3646], [3676, 3712], [3715, 3715], [3717, 3717], [3723, 3723], [3748, 3748], [3750, 3750], [3774, 3775], [3781, 3781], [3783, 3783], [3790, 3791], [3802, 3803], [3808, 3839], [3912, 3912], [3949, 3952], [3992, 3992], [4029, 4029], [4045, 4045], [4059, 4095], [4294, 4294], [4296, 4300], [4302, 4303], [4352, 4447], [4681, 4681], [4686, 4687], [4695, 4695], [4697, 4697], [4702, 4703], [4745, 4745], [4750, 4751], [4785, 4785], [4790, 4791], [4799, 4799], [4801, 4801], [4806, 4807], [4823, 4823], [4881, 4881], [4886, 4887], [4955, 4956], [4989, 4991], [5018, 5023], [5110, 5111], [5118, 5119], [5789, 5791], [5881, 5887], [5910, 5918], [5943, 5951], [5972, 5983], [5997, 5997], [6001, 6001], [6004, 6015], [6110, 6111], [6122, 6127], [6138, 6143], [6170, 6175], [6265, 6271], [6315, 6319], [6390, 6399], [6431, 6431], [6444, 6447], [6460, 6463], [6465, 6467], [6510, 6511], [6517, 6527], [6572, 6575], [6602, 6607], [6619, 6621], [6684, 6685], [6751, 6751], [6781, 6782], [6794, 6799], [6810, 6815], [6830, 6831], [6863, 6911], [6989, 6991], [7039, 7039], [7156, 7163], [7224, 7226], [7242, 7244], [7305, 7311], [7355, 7356], [7368, 7375], [7419, 7423], [7958, 7959], [7966, 7967], [8006, 8007], [8014, 8015], [8024, 8024], [8026, 8026], [8028, 8028], [8030, 8030], [8062, 8063], [8117, 8117], [8133, 8133], [8148, 8149], [8156, 8156], [8176, 8177], [8181, 8181], [8191, 8191], [8293, 8293], [8306, 8307], [8335, 8335], [8349, 8351], [8385, 8399], [8433, 8447], [8588, 8591], [8986, 8987], [9001, 9002], [9193, 9196], [9200, 9200], [9203, 9203], [9255, 9279], [9291, 9311], [9725, 9726], [9748, 9749], [9800, 9811], [9855, 9855], [9875, 9875], [9889, 9889], [9898, 9899], [9917, 9918], [9924, 9925], [9934, 9934], [9940, 9940], [9962, 9962], [9970, 9971], [9973, 9973], [9978, 9978], [9981, 9981], [9989, 9989], [9994, 9995], [10024, 10024], [10060, 10060], [10062, 10062], [10067, 10069], [10071, 10071], [10133, 10135], [10160, 10160], [10175, 10175], [11035, 11036], [11088, 11088], [11093, 11093], [11124, 11125], [11158, 11158], [11508, 11512], [11558, 11558], [11560, 11564], [11566, 11567], [11624, 11630], [11633, 11646], [11671, 11679], [11687, 11687], [11695, 11695], [11703, 11703], [11711, 11711], [11719, 11719], [11727, 11727], [11735, 11735], [11743, 11743], [11870, 12350], [12352, 12871], [12880, 19903], [19968, 42191], [42540, 42559], [42744, 42751], [42955, 42959], [42962, 42962], [42964, 42964], [42970, 42993], [43053, 43055], [43066, 43071], [43128, 43135], [43206, 43213], [43226, 43231], [43348, 43358], [43360, 43391], [43470, 43470], [43482, 43485], [43519, 43519], [43575, 43583], [43598, 43599], [43610, 43611], [43715, 43738], [43767, 43776], [43783, 43784], [43791, 43792], [43799, 43807], [43815, 43815], [43823, 43823], [43884, 43887], [44014, 44015], [44026, 55215], [55239, 55242], [55292, 55295], [63744, 64255], [64263, 64274], [64280, 64284], [64311, 64311], [64317, 64317], [64319, 64319], [64322, 64322], [64325, 64325], [64451, 64466], [64912, 64913], [64968, 64974], [64976, 65007], [65040, 65055], [65072, 65135], [65141, 65141], [65277, 65278], [65280, 65376], [65471, 65473], [65480, 65481], [65488, 65489], [65496, 65497], [65501, 65511], [65519, 65528], [65534, 65535], [65548, 65548], [65575, 65575], [65595, 65595], [65598, 65598], [65614, 65615], [65630, 65663], [65787, 65791], [65795, 65798], [65844, 65846], [65935, 65935], [65949, 65951], [65953, 65999], [66046, 66175], [66205, 66207], [66257, 66271], [66300, 66303], [66340, 66348], [66379, 66383], [66427, 66431], [66462, 66462], [66500, 66503], [66518, 66559], [66718, 66719], [66730, 66735], [66772, 66775], [66812, 66815], [66856, 66863], [66916, 66926], [66939, 66939], [66955, 66955], [66963, 66963], [66966, 66966], [66978, 66978], [66994, 66994], [67002, 67002], [67005, 67071], [67383, 67391], [67414, 67423], [67432, 67455], [67462, 67462], [67505, 67505], [67515, 67583], [67590, 67591], [67593, 67593], [67638, 67638], [67641, 67643], [67645, 67646], [67670, 67670], [67743, 67750], [67760, 67807], [67827, 67827], [67830, 67834], [67868, 67870], [67898, 67902], [67904, 67967], [68024, 68027], [68048, 68049], [68100, 68100], [68103, 68107], [68116, 68116], [68120, 68120], [68150, 68151], [68155, 68158], [68169, 68175], [68185, 68191], [68256, 68287], [68327, 68330], [68343, 68351], [68406, 68408], [68438, 68439], [68467, 68471], [68498, 68504], [68509, 68520], [68528, 68607], [68681, 68735], [68787, 68799], [68851, 68857], [68904, 68911], [68922, 69215], [69247, 69247], [69290, 69290], [69294, 69295], [69298, 69375], [69416, 69423], [69466, 69487], [69514, 69551], [69580, 69599], [69623, 69631], [69710, 69713], [69750, 69758], [69827, 69836], [69838, 69839], [69865, 69871], [69882, 69887], [69941, 69941], [69960, 69967], [70007, 70015], [70112, 70112], [70133, 70143], [70162, 70162], [70207, 70271], [70279, 70279], [70281, 70281], [70286, 70286], [70302, 70302], [70314, 70319], [70379, 70383], [70394, 70399], [70404, 70404], [70413, 70414], [70417, 70418], [70441, 70441], [70449, 70449], [70452, 70452], [70458, 70458], [70469, 70470], [70473, 70474], [70478, 70479], [70481, 70486], [70488, 70492], [70500, 70501], [70509, 70511], [70517, 70655], [70748, 70748], [70754, 70783], [70856, 70863], [70874, 71039], [71094, 71095], [71134, 71167], [71237, 71247], [71258, 71263], [71277, 71295], [71354, 71359], [71370, 71423], [71451, 71452], [71468, 71471], [71495, 71679], [71740, 71839], [71923, 71934], [71943, 71944], [71946, 71947], [71956, 71956], [71959, 71959], [71990, 71990], [71993, 71994], [72007, 72015], [72026, 72095], [72104, 72105], [72152, 72153], [72165, 72191], [72264, 72271], [72355, 72367], [72441, 72703], [72713, 72713], [72759, 72759], [72774, 72783], [72813, 72815], [72848, 72849], [72872, 72872], [72887, 72959], [72967, 72967], [72970, 72970], [73015, 73017], [73019, 73019], [73022, 73022], [73032, 73039], [73050, 73055], [73062, 73062], [73065, 73065], [73103, 73103], [73106, 73106], [73113, 73119], [73130, 73439], [73465, 73647], [73649, 73663], [73714, 73726], [74650, 74751], [74863, 74863], [74869, 74879], [75076, 77711], [77811, 77823], [78895, 78895], [78905, 82943], [83527, 92159], [92729, 92735], [92767, 92767], [92778, 92781], [92863, 92863], [92874, 92879], [92910, 92911], [92918, 92927], [92998, 93007], [93018, 93018], [93026, 93026], [93048, 93052], [93072, 93759], [93851, 93951], [94027, 94030], [94088, 94094], [94112, 113663], [113771, 113775], [113789, 113791], [113801, 113807], [113818, 113819], [113828, 118527], [118574, 118575], [118599, 118607], [118724, 118783], [119030, 119039], [119079, 119080], [119275, 119295], [119366, 119519], [119540, 119551], [119639, 119647], [119673, 119807], [119893, 119893], [119965, 119965], [119968, 119969], [119971, 119972], [119975, 119976], [119981, 119981], [119994, 119994], [119996, 119996], [120004, 120004], [120070, 120070], [120075, 120076], [120085, 120085], [120093, 120093], [120122, 120122], [120127, 120127], [120133, 120133], [120135, 120137], [120145, 120145], [120486, 120487], [120780, 120781], [121484, 121498], [121504, 121504], [121520, 122623], [122655, 122879], [122887, 122887], [122905, 122906], [122914, 122914], [122917, 122917], [122923, 123135], [123181, 123183], [123198, 123199], [123210, 123213], [123216, 123535], [123567, 123583], [123642, 123646], [123648, 124895], [124903, 124903], [124908, 124908], [124911, 124911], [124927, 124927], [125125, 125126], [125143, 125183], [125260, 125263], [125274, 125277], [125280, 126064], [126133, 126208], [126270, 126463], [126468, 126468], [126496, 126496], [126499, 126499], [126501, 126502], [126504, 126504], [126515, 126515], [126520, 126520], [126522, 126522], [126524, 126529], [126531, 126534], [126536, 126536], [126538, 126538], [126540, 126540], [126544, 126544], [126547, 126547], [126549, 126550], [126552, 126552], [126554, 126554], [126556, 126556], [126558, 126558], [126560, 126560], [126563, 126563], [126565, 126566], [126571, 126571], [126579, 126579], [126584, 126584], [126589, 126589], [126591, 126591], [126602, 126602], [126620, 126624], [126628, 126628], [126634, 126634], [126652, 126703], [126706, 126975], [126980, 126980], [127020, 127023], [127124, 127135], [127151, 127152], [127168, 127168], [127183, 127184], [127222, 127231], [127374, 127374], [127377, 127386], [127406, 127461], [127488, 127776], [127789, 127797], [127799, 127868], [127870, 127891], [127904, 127946], [127951, 127955], [127968, 127984], [127988, 127988], [127992, 128062], [128064, 128064], [128066, 128252], [128255, 128317], [128331, 128334], [128336, 128359], [128378, 128378], [128405, 128406], [128420, 128420], [128507, 128591], [128640, 128709], [128716, 128716], [128720, 128722], [128725, 128735], [128747, 128751], [128756, 128767], [128884, 128895], [128985, 129023], [129036, 129039], [129096, 129103], [129114, 129119], [129160, 129167], [129198, 129199], [129202, 129279], [129292, 129338], [129340, 129349], [129351, 129535], [129620, 129631], [129646, 129791], [129939, 129939], [129995, 130031], [130042, 917504], [917506, 917535], [917632, 917759], [918000, 983039], [1048574, 1048575], [1114110, 1114111]];

/** Characters that take no column. */
export const COMBINING: readonly (readonly [number, number])[] = [[768, 846], [848, 879], [1155, 1159], [1425, 1469], [1471, 1471], [1473, 1474], [1476, 1477], [1479, 1479], [1552, 1562], [1611, 1631], [1648, 1648], [1750, 1756], [1759, 1764], [1767, 1768], [1770, 1773], [1809, 1809], [1840, 1866], [2027, 2035], [2045, 2045], [2070, 2073], [2075, 2083], [2085, 2087], [2089, 2093], [2137, 2139], [2200, 2207], [2250, 2273], [2275, 2303], [2364, 2364], [2381, 2381], [2385, 2388], [2492, 2492], [2509, 2509], [2558, 2558], [2620, 2620], [2637, 2637], [2748, 2748], [2765, 2765], [2876, 2876], [2893, 2893], [3021, 3021], [3132, 3132], [3149, 3149], [3157, 3158], [3260, 3260], [3277, 3277], [3387, 3388], [3405, 3405], [3530, 3530], [3640, 3642], [3656, 3659], [3768, 3770], [3784, 3787], [3864, 3865], [3893, 3893], [3895, 3895], [3897, 3897], [3953, 3954], [3956, 3956], [3962, 3965], [3968, 3968], [3970, 3972], [3974, 3975], [4038, 4038], [4151, 4151], [4153, 4154], [4237, 4237], [4957, 4959], [5908, 5909], [5940, 5940], [6098, 6098], [6109, 6109], [6313, 6313], [6457, 6459], [6679, 6680], [6752, 6752], [6773, 6780], [6783, 6783], [6832, 6845], [6847, 6862], [6964, 6964], [6980, 6980], [7019, 7027], [7082, 7083], [7142, 7142], [7154, 7155], [7223, 7223], [7376, 7378], [7380, 7392], [7394, 7400], [7405, 7405], [7412, 7412], [7416, 7417], [7616, 7679], [8400, 8412], [8417, 8417], [8421, 8432], [11503, 11505], [11647, 11647], [11744, 11775], [12330, 12335], [12441, 12442], [42607, 42607], [42612, 42621], [42654, 42655], [42736, 42737], [43014, 43014], [43052, 43052], [43204, 43204], [43232, 43249], [43307, 43309], [43347, 43347], [43443, 43443], [43456, 43456], [43696, 43696], [43698, 43700], [43703, 43704], [43710, 43711], [43713, 43713], [43766, 43766], [44013, 44013], [64286, 64286], [65056, 65071], [66045, 66045], [66272, 66272], [66422, 66426], [68109, 68109], [68111, 68111], [68152, 68154], [68159, 68159], [68325, 68326], [68900, 68903], [69291, 69292], [69446, 69456], [69506, 69509], [69702, 69702], [69744, 69744], [69759, 69759], [69817, 69818], [69888, 69890], [69939, 69940], [70003, 70003], [70080, 70080], [70090, 70090], [70197, 70198], [70377, 70378], [70459, 70460], [70477, 70477], [70502, 70508], [70512, 70516], [70722, 70722], [70726, 70726], [70750, 70750], [70850, 70851], [71103, 71104], [71231, 71231], [71350, 71351], [71467, 71467], [71737, 71738], [71997, 71998], [72003, 72003], [72160, 72160], [72244, 72244], [72263, 72263], [72345, 72345], [72767, 72767], [73026, 73026], [73028, 73029], [73111, 73111], [92912, 92916], [92976, 92982], [94192, 94193], [113822, 113822], [119141, 119145], [119149, 119154], [119163, 119170], [119173, 119179], [119210, 119213], [119362, 119364], [122880, 122886], [122888, 122904], [122907, 122913], [122915, 122916], [122918, 122922], [123184, 123190], [123566, 123566], [123628, 123631], [125136, 125142], [125252, 125258]];
