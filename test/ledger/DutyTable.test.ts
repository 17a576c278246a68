/**
 * Each duty of a ledger, whatever happens to it.
 */
import { describeDuty } from "./DutyTable.js"
import { dutyScenes } from "./DutyScenes.js"

for (const duty of dutyScenes) describeDuty(duty)
