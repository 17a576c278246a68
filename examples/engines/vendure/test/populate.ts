/**
 * Fills an empty database with a shop that sells shirts.
 */
import { bootstrap, ChannelService, CurrencyCode, LanguageCode, RequestContextService } from "@vendure/core"
import { populate } from "@vendure/core/cli"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { config } from "./server/config"

const products = join(mkdtempSync(join(tmpdir(), "products-")), "products.csv")
writeFileSync(
  products,
  [
    "name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets",
    "Shirt,shirt,A shirt,,,,,SHIRT,1000,standard,1000,false,,"
  ].join("\n")
)

/** Starts Vendure with prices in crowns. */
const start = async () => {
  const app = await bootstrap(config)
  const channels = app.get(ChannelService)
  const { id } = await channels.getDefaultChannel()
  await channels.update(await app.get(RequestContextService).create({ apiType: "admin" }), {
    id,
    defaultCurrencyCode: CurrencyCode.CZK,
    availableCurrencyCodes: [CurrencyCode.CZK]
  })
  return app
}

const fill = async () => {
  const app = await populate(
    start,
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
