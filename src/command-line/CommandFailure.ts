/** Wrong usage (status 2), or a command that cannot be carried out (status 1). Its message is all that is printed. */
export class CommandFailure extends Error {
  readonly status: 1 | 2

  constructor(status: 1 | 2, message: string) {
    super(message)
    this.status = status
  }
}

/** Wrong usage of a command. */
export const wrongUsage = (command: string, message: string): CommandFailure =>
  new CommandFailure(2, `${message}\nTry: effect-gopay ${command} --help`)
