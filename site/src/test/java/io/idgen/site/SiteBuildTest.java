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

        assertThat(page("index.html").select("main a").eachAttr("href"))
                .containsExactly(
                        "docs/index.html",
                        REPOSITORY + "/blob/HEAD/shop-core/Shop.java",
                        REPOSITORY + "/tree/HEAD/shop-core");
        assertThat(page("docs/orders.html").select("main a").eachAttr("href"))
                .containsExactly("../index.html#shop", "#large-orders");
        assertThat(root.resolve("site/docs/images/order.svg")).exists();
    }

    @Test
    void aLinkToAPageThatIsNamedByItsFileShowsItsTitle() throws IOException {
        build();

        assertThat(page("docs/index.html").select("main li a").eachText()).containsExactly("Orders", "Maven");
    }

    @Test
    void thePagesAreListedByReaderAsTheIndexHasThem() throws IOException {
        build();

        Document orders = page("docs/orders.html");
        assertThat(orders.select("#pages h2").eachText()).containsExactly("new", "on call");
        assertThat(orders.select("#pages a").eachText()).containsExactly("Shop", "Large orders", "Orders");
        assertThat(orders.select("#pages a").eachAttr("href"))
                .containsExactly("../index.html", "orders.html#large-orders", "orders.html");
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
        write("README.md", "# Shop\n\n[a](docs/no.md) [b](docs/orders.md#no) ![c](no.svg) [d](#no) [fine](#shop)\n");
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
