"""Scrapy: the parser of robots.txt for the setting `ROBOTSTXT_PARSER`.

Requires Scrapy: `pip install agentsdisc scrapy`.

    ROBOTSTXT_OBEY = True
    ROBOTSTXT_PARSER = "agentsdisc.scrapy.RobotParser"
"""

from typing import TYPE_CHECKING, Any, Self

from ._agentsdisc import PreferenceAnswer, RobotsTxt

if TYPE_CHECKING:
    # Type checking does not require Scrapy.
    Interface = object
else:
    from scrapy.robotstxt import RobotParser as Interface

__all__ = ["RobotParser"]


class RobotParser(Interface):
    """A robots.txt as Scrapy asks it: the longest matching pattern decides, and Allow wins a tie (RFC 9309).

    Scrapy makes one for each host, and sends it with the signal `robots_parsed`.
    """

    def __init__(self, robotstxt_body: bytes) -> None:
        self.robots = RobotsTxt(robotstxt_body)
        """The robots.txt, which also says which line decides (`decide`), and lists groups, sitemaps and licences."""

    @classmethod
    def from_crawler(cls, crawler: Any, robotstxt_body: bytes) -> Self:
        """Reads the body of a robots.txt. Nothing of the crawler is used."""
        return cls(robotstxt_body)

    def allowed(self, url: str | bytes, user_agent: str | bytes) -> bool:
        """Whether an agent, by its name or its User-Agent, may fetch a URL."""
        return self.robots.allowed(user_agent, url)

    def crawl_delay(self, user_agent: str | bytes) -> float | None:
        """Returns the seconds between two requests of an agent (Crawl-delay); None if it is absent or not a number."""
        return self.robots.crawl_delay(user_agent)

    def preference(
        self,
        url: str | bytes,
        user_agent: str | bytes,
        purpose: str,
        *,
        content_usage: str | bytes | None = None,
    ) -> PreferenceAnswer:
        """Returns whether the content at a URL may be used for a purpose, such as `train-ai`.

        `content_usage` is the Content-Usage header of the answer; the stricter one of header and robots.txt counts.
        """
        return self.robots.preference(
            user_agent, url, purpose, content_usage=content_usage
        )
