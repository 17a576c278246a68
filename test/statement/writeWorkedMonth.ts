/** Writes the worked month into the guide to statements. */
import { writeWorkedMonth } from "./workedMonth.js"

writeWorkedMonth()
