/**
 * The commands of `effect-gopay`, in the order of its help.
 */
import { checkCommand } from "./CheckCommand.js"
import { demoCommand } from "./DemoCommand.js"
import { initCommand } from "./InitCommand.js"
import { ledgerCommand } from "./LedgerCommand.js"
import { listenCommand } from "./ListenCommand.js"
import { localGatewayCommand } from "./LocalGatewayCommand.js"
import { recordCommand } from "./RecordCommand.js"
import { showCommand } from "./ShowCommand.js"
import { statementCommand } from "./StatementCommand.js"
import { triggerCommand } from "./TriggerCommand.js"

/** Each command with its name, its help and its action. */
export const commands = [
  demoCommand,
  initCommand,
  localGatewayCommand,
  triggerCommand,
  showCommand,
  checkCommand,
  ledgerCommand,
  statementCommand,
  listenCommand,
  recordCommand
]
