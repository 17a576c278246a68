/**
 * What `effect-gopay check` and `effect-gopay ledger doctor` find wrong with a ledger.
 */
import type { LedgerHealth } from "../ledger/model/Lists.js"
import type { Choice } from "./Choice.js"

/** Why nothing is sent, in Czech. The ledger's own sentence is English. */
const czechBlockages: Readonly<Record<NonNullable<LedgerHealth["reason"]>, string>> = {
  Paused: "Ledger je pozastavený. Obnoví ho resume.",
  GatewayAway: "Brána neodpovídá. Odesílání se samo obnoví, až odpoví.",
  CredentialsRefused: "Brána odmítá přihlašovací údaje. Odesílání se samo obnoví, až je přijme.",
  AnotherDatabase: "Databáze je kopie nebo obnovená záloha. Spusťte distrust.",
  OtherInstallation:
    "Databáze patří jiné instalaci. Je-li tohoto obchodu, uveďte její jméno: --installation, nebo GOPAY_INSTALLATION.",
  NewerRelease: "Tabulky patří novější verzi.",
  OldTables: "Tabulky jsou ze starší verze: zavolejte migrate().",
  NoTables: "Tabulky chybí: zavolejte migrate().",
  NoRow: "Vlastní řádek ledgeru byl smazán.",
  Standby: "Databáze nepřijímá zápisy.",
  UnsafeStore: "V procesu mají soubor otevřený dvě knihovny SQLite. Do restartu procesu ho nepoužívejte."
}

const named = " If it is this shop's own, name its installation: --installation, or GOPAY_INSTALLATION."

export const findingWords = (t: Choice) => ({
  /** The state of a ledger: its own sentence, which is English, or one for its reason. */
  health: ({ message, reason }: Pick<LedgerHealth, "message" | "reason">): string =>
    t(message, reason === undefined ? "Změny se odesílají." : czechBlockages[reason]),
  notSending: ({ message, reason }: Pick<LedgerHealth, "message" | "reason">): string =>
    t(
      `Nothing is sent. ${message.replace(/ Nothing is sent\.$/, "")}${reason === "OtherInstallation" ? named : ""}`,
      `Nic se neodesílá. ${reason === undefined ? "" : czechBlockages[reason]}`
    ),
  notSendingSince: (since: string, sentence: string): string =>
    t(
      `Nothing is sent${since === "" ? "" : ` since ${since}`}: ${sentence}`,
      `Nic se neodesílá${since === "" ? "" : ` od ${since}`}: ${sentence}`
    ),
  nothingIsSent: t("Nothing is sent.", "Nic se neodesílá."),
  exposed: (roles: string, message: string): string =>
    t(
      message,
      `Tyto role mají práva k tabulkám ledgeru a kdo je má, může vložit refundaci: ${roles}. Zavolejte migrate() jako vlastník tabulek, práva odebere.`
    ),
  noWorker: t(
    "No worker has ever run. Call startWorker() in the shop's processes, or runOnce() in a cron job.",
    "Worker ještě nikdy neběžel. Volejte startWorker() v procesech obchodu, nebo runOnce() z cronu."
  ),
  workerSilent: (minutes: number): string =>
    t(
      `The last worker ran ${minutes} minutes ago. Is the shop's worker process running?`,
      `Poslední worker běžel před ${minutes} min. Běží proces obchodu s workerem?`
    ),
  due: (count: number, minutes: number): string =>
    t(
      `${count} steps are due, the oldest for ${minutes} minutes. More workers, or a higher concurrency or readsPerSecond, make them sooner.`,
      `Čeká ${count} kroků, nejstarší už ${minutes} min. Urychlí je více workerů nebo vyšší concurrency či readsPerSecond.`
    ),
  attention: (count: number): string =>
    t(
      `${count} items need an operator. See: effect-gopay ledger list.`,
      `Na rozhodnutí čeká: ${count}. Viz effect-gopay ledger list.`
    ),
  unreported: (count: number): string =>
    t(
      `${count} outcomes wait for onChange. Does it fail? Its errors are in the shop's log.`,
      `Na onChange čeká ${count} výsledků. Neselhává? Chyby jsou v logu obchodu.`
    ),
  unknown: (count: number): string =>
    t(
      `${count} changes were sent and their outcome is unknown. They are searched for; send none again by hand.`,
      `U ${count} odeslaných změn není jistý výsledek. Dohledávají se; žádnou neposílejte ručně znovu.`
    ),
  nothingWrong: t("Nothing is wrong.", "Vše je v pořádku."),
  found: (count: number): string => t(`${count} found.`, `Nalezeno problémů: ${count}.`),
  grantees: (roles: string): string =>
    t(
      `These roles have rights on the ledger's tables, beside their owner: ${roles}.`,
      `Kromě vlastníka mají k tabulkám ledgeru práva tyto role: ${roles}.`
    )
})
