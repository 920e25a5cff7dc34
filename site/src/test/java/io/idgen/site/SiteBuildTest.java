package io.idgen.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds the site of a small project. Browser tests cover the site of idgen itself. */
class SiteBuildTest {
    private static final String REPOSITORY = "https://code.example/shop";

    @TempDir
    private Path root;

    @BeforeEach
    void aProjectWithFourPagesAndAModule() throws IOException {
        write(
                "README.md",
                "# Shop\n\nSee [docs](docs/README.md), the [code](shop-core/Shop.java) and [all of it](shop-core).\n");
        write("README.zh-CN.md", "# 商店\n\n号段\n");
        write(
                "docs/README.md",
                "# Pages\n\n| you are | read |\n|---|---|\n| new | [README](../README.md), [orders.md](orders.md#large-orders) |\n"
                        + "\n## on call\n\n- [orders.md](orders.md)\n- [Maven](https://maven.apache.org)\n");
        write(
                "docs/orders.md",
                "# Orders\n\n![A picture](images/order.svg)\n\n## Large orders\n\n| setting | meaning |\n|---|---|\n"
                        + "| `shop.lines` | how many |\n\n[up](../README.md#shop) [here](#large-orders)\n");
        write("docs/images/order.svg", "<svg/>");
        write("shop-core/Shop.java", "");
        write("shop-core/pom.xml", "<project><description>Orders &amp; lines.</description></project>");
        write("shop-core/target/reports/apidocs/index.html", "<h1>Shop</h1>");
    }

    @Test
    void linksLeadToPagesOfTheSiteAndToOtherFilesInTheRepository() throws IOException {
        build();

        assertThat(page("index.html").select("main p:not(.start) a").eachAttr("href"))
                .containsExactly(
                        "docs/index.html",
                        REPOSITORY + "/blob/HEAD/shop-core/Shop.java",
                        REPOSITORY + "/tree/HEAD/shop-core");
        assertThat(page("docs/orders.html").select("main p a").eachAttr("href"))
                .containsExactly("../index.html#shop", "#large-orders");
        assertThat(root.resolve("site/docs/images/order.svg")).exists();
    }

    @Test
    void aLinkToAPageThatIsNamedByItsFileShowsItsTitle() throws IOException {
        build();

        assertThat(page("docs/index.html").select("main li a").eachText()).containsExactly("Orders", "Maven");
    }

    @Test
    void thePagesAreListedByReaderEachOnceAsTheIndexHasThem() throws IOException {
        build();

        Document orders = page("docs/orders.html");
        assertThat(orders.select("#pages h2").eachText()).containsExactly("new");
        assertThat(orders.select("#pages a").eachText()).containsExactly("Shop", "Orders");
        assertThat(orders.select("#pages a").eachAttr("href")).containsExactly("../index.html", "orders.html");
        assertThat(orders.select("#pages [aria-current]").eachText()).containsExactly("Orders");
    }

    @Test
    void aPageHasItsTitleItsLanguageAndItsHeadings() throws IOException {
        build();

        assertThat(page("docs/orders.html").title()).isEqualTo("Orders · idgen");
        assertThat(page("README.zh-CN.html").expectFirst("html").attr("lang")).isEqualTo("zh-CN");
        write("docs/orders.md", "# Orders\n\n## Large orders\n\n### Very large\n");
        build();
        assertThat(page("docs/orders.html").select("#contents a").eachText())
                .containsExactly("Large orders", "Very large");
    }

    @Test
    void aPageLeadsToTheOnesBeforeAndAfterItInTheList() throws IOException {
        write(
                "docs/README.md",
                "# Pages\n\n## new\n\n[a](orders.md) [b](returns.md)\n\n## on call\n\n[c](alarms.md)\n");
        write("docs/returns.md", "# Returns\n");
        write("docs/alarms.md", "# Alarms\n");
        build();

        Document returns = page("docs/returns.html");
        assertThat(returns.select("[rel=prev]").eachAttr("href")).containsExactly("orders.html");
        assertThat(returns.select("[rel=next]").eachText()).containsExactly("Alarms");
        assertThat(page("docs/orders.html").select("#neighbours a").eachText()).containsExactly("Returns");
        assertThat(page("docs/index.html").select("#neighbours")).isEmpty();
    }

    @Test
    void theFirstPageHasTheSentencesBesideTheCodeAndNoBadges() throws IOException {
        write(
                "README.md",
                "# Shop\n\nEnglish | [中文](README.zh-CN.md)\n\n[![Java](docs/images/order.svg)](docs/orders.md)\n\n"
                        + "Sells books.\n\nAdd:\n\n```java\nA a;\n```\n\nBuy:\n\n```java\nB b;\n```\n\n"
                        + "So:\n\n![Order](docs/images/order.svg)\n\n## Try\n\nNow.\n");
        build();

        Document first = page("index.html");
        assertThat(first.select(".hero > div:first-child").text()).isEqualTo("Shop Sells books. Orders");
        assertThat(first.select(".hero > div:nth-child(2)").text())
                .isEqualToNormalizingWhitespace("Add: A a; Buy: B b;");
        assertThat(first.select(".hero > p img").eachAttr("alt")).containsExactly("Order");
        assertThat(first.select("main > h2").eachText()).containsExactly("Try");
    }

    @Test
    void toolsGetAListOfThePagesAndAllPagesInOneFile() throws IOException {
        write(
                "docs/orders.md",
                "<!-- generated -->\n\n# Orders\n\n[a](../README.md)\n\nAn order has lines.\n\n## Large orders\n");
        write("README.md", "# Shop\n\nSells books.\n");
        build();

        assertThat(root.resolve("site/llms.txt"))
                .hasContent("# Shop\n\n> Sells books.\n\nAll pages in one file: [llms-full.txt](llms-full.txt)\n\n"
                        + "## new\n\n- [Shop](README.md): Sells books.\n"
                        + "- [Orders](docs/orders.md): An order has lines.\n");
        assertThat(root.resolve("site/llms-full.txt"))
                .content()
                .startsWith("<!-- README.md -->\n\n# Shop\n")
                .contains("<!-- docs/orders.md -->\n")
                .contains("An order has lines.");
        assertThat(root.resolve("site/docs/orders.md")).hasSameTextualContentAs(root.resolve("docs/orders.md"));
    }

    @Test
    void theSearchRanksInternalsDownAndKnowsEachErrorCode() throws IOException {
        write("docs/internals/proofs.md", "# Proofs\n");
        write("docs/errors.md", "# Errors\n\n| code | way out |\n|---|---|\n| IDGEN-101 | Correct it. |\n");
        build();

        assertThat(root.resolve("site/assets/search-index.js"))
                .content()
                .contains("\"page\":\"Proofs\",\"heading\":\"\",\"terms\":\"\",\"text\":\"\",\"weight\":0.1")
                .contains("{\"url\":\"docs/errors.html#IDGEN-101\",\"page\":\"Errors\",\"heading\":\"IDGEN-101\","
                        + "\"terms\":\"IDGEN-101\",\"text\":\"Correct it.\"");
        assertThat(page("docs/errors.html").getElementById("IDGEN-101")).isNotNull();
    }

    @Test
    void theSearchKnowsEachSectionWithTheTermsOfItsTables() throws IOException {
        build();

        assertThat(root.resolve("site/assets/search-index.js"))
                .content()
                .startsWith("window.searchIndex = [")
                .contains("{\"url\":\"docs/orders.html#large-orders\",\"page\":\"Orders\",\"heading\":\"Large orders\","
                        + "\"terms\":\"shop.lines\",")
                .contains("\"text\":\"号段\"");
    }

    @Test
    void theApiPageLeadsToTheJavadocOfEachModule() throws IOException {
        build();

        Document api = page("api/index.html");
        assertThat(api.select("main a").eachAttr("href")).containsExactly("shop-core/index.html");
        assertThat(api.select("dd").eachText()).containsExactly("Orders & lines.");
        assertThat(root.resolve("site/api/shop-core/index.html")).exists();
    }

    @Test
    void aModuleWithoutJavadocIsRefused() throws IOException {
        Files.delete(root.resolve("shop-core/target/reports/apidocs/index.html"));

        assertThatThrownBy(this::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("has no javadoc: run mvn");
    }

    @Test
    void linksThatLeadNowhereAreRefusedAllAtOnce() throws IOException {
        write("README.md", "# Shop\n\n[a](docs/no.md) [b](docs/orders.md#no) ![c](no.svg) [d](#no) [fine](#shop).\n");
        write("shop-core/target/reports/apidocs/index.html", "<a href=\"no.html#x\">x</a><a href='?q=1'>fine</a>");

        assertThatThrownBy(this::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("links that lead nowhere:\n  api/shop-core/index.html: no.html#x\n  index.html: #no\n"
                        + "  index.html: docs/no.md\n  index.html: docs/orders.html#no\n  index.html: no.svg");
    }

    @Test
    void everyPublishedModuleWithAnApiIsShown() throws IOException {
        List<String> published = elements("../idgen-bom/pom.xml", "dependencyManagement artifactId");
        List<String> shown = elements("pom.xml", "argument").stream()
                .filter(argument -> argument.contains("idgen-"))
                .map(argument -> argument.replaceFirst(".*/", ""))
                .toList();

        assertThat(published)
                .filteredOn(module ->
                        !List.of("idgen-cli", "idgen-spring-boot-starter").contains(module))
                .as("modules in site/pom.xml; the tool and the starter have no API")
                .containsExactlyInAnyOrderElementsOf(shown);
    }

    private void build() throws IOException {
        SiteBuild.write(root, root.resolve("site"), REPOSITORY, List.of("shop-core"));
    }

    private Document page(String path) throws IOException {
        return Jsoup.parse(root.resolve("site").resolve(path));
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    private static List<String> elements(String pom, String selector) throws IOException {
        return Jsoup.parse(Files.readString(Path.of(pom)), Parser.xmlParser())
                .select(selector)
                .eachText();
    }
}
