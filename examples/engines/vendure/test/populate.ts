/**
 * Fills an empty database with a shop that sells shirts.
 */
import { bootstrap, LanguageCode } from "@vendure/core"
import { populate } from "@vendure/core/cli"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { config } from "../src/config"

const products = join(mkdtempSync(join(tmpdir(), "products-")), "products.csv")
writeFileSync(
  products,
  [
    "name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets",
    "Shirt,shirt,A shirt,,,,,SHIRT,1000,standard,1000,false,,"
  ].join("\n")
)

const fill = async () => {
  const app = await populate(
    () => bootstrap(config),
    {
      defaultLanguage: LanguageCode.en,
      defaultZone: "Europe",
      countries: [{ name: "Czechia", code: "CZ", zone: "Europe" }],
      taxRates: [{ name: "Standard", percentage: 21 }],
      shippingMethods: [{ name: "Post", price: 9900 }],
      paymentMethods: [
        { name: "GoPay", handler: { code: "gopay", arguments: [{ name: "preauthorization", value: "false" }] } }
      ],
      collections: []
    },
    products
  )
  await app.close()
}

void fill().then(() => process.exit(0))
