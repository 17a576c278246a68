/**
 * Components that several pages share.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren, FunctionComponent, JSX } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { ownMember } from "../../../basics/OwnMember.js"
import { change, type PaymentView } from "./api.js"
import { countText } from "./format.js"
import { filterBy, place, visits } from "./place.js"
import { act, timeText } from "./state.js"

/** A time, with its full form as a tooltip. */
export const Time = ({ at, precise = false }: { readonly at: string; readonly precise?: boolean }) => (
  <time dateTime={at} title={at}>
    {timeText(at, precise)}
  </time>
)

/** A payment's state, coloured to match; or another text in its colour. */
export const Chip = ({ state, text }: { readonly state: string; readonly text?: string }) => (
  <span class="chip" data-state={state}>
    {text ?? state.replaceAll("_", " ")}
  </span>
)

/** The status of a response, coloured by its class. */
export const Status = ({ text }: { readonly text: string }) => (
  <span class="status" data-class={/^\d/.exec(text)?.[0]}>
    {text}
  </span>
)

export const orderName = ({ id, payment }: PaymentView): string => payment.order_number ?? `Payment ${id}`

export const PaymentLink = ({ id }: { readonly id: number }) => (
  <a href={`#/payments/${id}`} class="id">
    {id}
  </a>
)

const standings: { readonly [Standing in NonNullable<PaymentView["notified"]>]: string } = {
  delivered: "The shop was notified of this state.",
  waiting: "The shop is notified next.",
  failing: "The shop has not taken the last notification.",
  noAddress: "There is no one to notify: the order has no notification address."
}

/** Whether the shop knows the state of a payment, as a dot. */
export const Dot = ({ view: { notified } }: { readonly view: PaymentView }) =>
  notified && (
    <span
      class="dot"
      data-notified={notified}
      role="img"
      aria-label={standings[notified]}
      title={standings[notified]}
    />
  )

interface Labelled {
  readonly label: string
}

/** Runs one action at a time, and announces its result. */
const useAction = () => {
  const isBusy = useSignal(false)
  const run = async (action: () => Promise<string>): Promise<void> => {
    if (isBusy.value) return
    isBusy.value = true
    await act(action)
    isBusy.value = false
  }
  return { run, isBusy: isBusy.value ? true : undefined }
}

type ButtonProps = Labelled & { readonly action: () => Promise<string> } & JSX.IntrinsicElements["button"]

export const Button = ({ action, label, ...attributes }: ButtonProps) => {
  const { isBusy, run } = useAction()
  return (
    <button type="button" {...attributes} aria-disabled={isBusy} onClick={() => void run(action)}>
      {label}
    </button>
  )
}

/** The action of a button that makes a change through the control API and then announces it. */
export const changing = (said: string, path: string, body?: object) => async (): Promise<string> => {
  await change(path, body)
  return said
}

type CopyProps = Labelled & {
  readonly text: () => string | Promise<string>
  readonly done: string
} & JSX.IntrinsicElements["button"]

/** A button that copies. Browsers offer the clipboard only on the loopback interface and over https. */
export const Copy = ({ done, text, ...button }: CopyProps) => {
  const copy = async () => {
    await navigator.clipboard.writeText(await text())
    return done
  }
  return window.isSecureContext ? <Button class="small" {...button} action={copy} /> : null
}

/** The entered values, keyed by the names of the fields. */
export interface Fields {
  readonly [name: string]: string
}

export const fieldsOf = (form: HTMLFormElement, submitter?: HTMLElement | null): Fields =>
  Object.fromEntries(
    [...new FormData(form, submitter)].map(([name, value]) => [name, typeof value === "string" ? value : value.name])
  )

type FormProps = { readonly action: (fields: Fields) => Promise<string> } & Omit<
  JSX.IntrinsicElements["form"],
  "action"
>

/** A form whose action gets the entered values and the pressed button. */
export const Form = ({ action, ...attributes }: FormProps) => {
  const { isBusy, run } = useAction()
  return (
    <form
      class="group"
      {...attributes}
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault()
        const fields = fieldsOf(event.currentTarget, event.submitter)
        void run(() => action(fields))
      }}
    />
  )
}

/** Values to choose from, with their labels and, in a filter, their counts. */
export type Options = ReadonlyArray<readonly [value: string, label: string, count?: number]>

type SelectProps = { readonly options: Options; readonly chosen?: string | undefined } & JSX.IntrinsicElements["select"]

export const Select = ({ chosen, options, ...attributes }: SelectProps) => (
  <select {...attributes}>
    {options.map(([value, label]) => (
      <option key={value} value={value} selected={value === chosen}>
        {label}
      </option>
    ))}
  </select>
)

/** An input or a choice, with its label in front. */
export const Field: FunctionComponent<{ readonly name: string }> = ({ children, name }) => (
  <label class="field">
    <span>{name}</span>
    {children}
  </label>
)

export const TextField = ({ label, ...attributes }: Labelled & JSX.IntrinsicElements["input"]) => (
  <Field name={label}>
    <input type="text" autocomplete="off" {...attributes} />
  </Field>
)

export const ChoiceField = ({ label, ...choice }: Labelled & SelectProps) => (
  <Field name={label}>
    <Select {...choice} />
  </Field>
)

/** Fields that filter while they are filled in. They are filled in again when the reader arrives from elsewhere. */
export const Filter: FunctionComponent<Labelled> = ({ children, label }) => (
  <form
    key={visits.value}
    class="toolbar"
    role="search"
    aria-label={label}
    onInput={({ currentTarget }) => filterBy(fieldsOf(currentTarget))}
    onSubmit={(event) => event.preventDefault()}
  >
    {children}
  </form>
)

/** The values of a filter in a row, one of which is chosen. */
export const Pills = ({ label, name, values }: Labelled & { readonly name: string; readonly values: Options }) => (
  <div class="pills" role="radiogroup" aria-label={label}>
    {values.map(([value, text, count]) => (
      <label key={value} class="pill" data-state={value}>
        <input type="radio" name={name} value={value} checked={(ownMember(place.value.search, name) ?? "") === value} />
        {text} <span class="count">{count}</span>
      </label>
    ))}
  </div>
)

/** A section of a page, with its title and purpose. */
export const Panel: FunctionComponent<{ readonly title: string; readonly meaning: string }> = ({
  children,
  meaning,
  title
}) => (
  <section class="panel stack">
    <h2>{title}</h2>
    <p class="quiet">{meaning}</p>
    {children}
  </section>
)

/** Names and values. A pair with an empty value is left out. */
export const Facts = ({ pairs }: { readonly pairs: ReadonlyArray<readonly [string, ComponentChildren]> }) => (
  <dl class="facts">
    {pairs.map(
      ([name, value]) =>
        value && (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        )
    )}
  </dl>
)

export const Block = ({ text, title }: { readonly title: string; readonly text: string }) =>
  text === "" ? null : (
    <>
      <p class="block">{title}</p>
      <pre tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </>
  )

/**
 * A button that opens a panel below itself. The browser closes it on Escape and on a click elsewhere; so does
 * navigation.
 */
export const Menu = ({ label, ...panel }: Labelled & { readonly id: string } & JSX.IntrinsicElements["div"]) => {
  const shown = useRef<HTMLDivElement>(null)
  useEffect(() => shown.current?.hidePopover(), [visits.value])
  return (
    <>
      <button class="menu-button" popovertarget={panel.id} data-testid={`${panel.id}-menu`}>
        {label}
      </button>
      <div ref={shown} class="menu" popover="auto" role="group" aria-label={label} {...panel} />
    </>
  )
}

interface TableProps {
  readonly title: string
  readonly heads?: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<ComponentChildren>>
}

/** A table that scrolls if it is wider than the page. Nothing if it has no rows. */
export const Table = ({ heads = [], rows, title }: TableProps) =>
  rows.length === 0 ? null : (
    <section class="wide" tabIndex={0} aria-label={title}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )

/** How many entries of a list are shown at first, and added each time. */
const pageSize = 100

/** How many entries of a list are shown, and the button that shows more. For another list the count starts again. */
export const useLimit = (list: string) => {
  const last = useSignal({ list, limit: pageSize })
  const limit = last.value.list === list ? last.value.limit : pageSize
  const showMore = () => (last.value = { list, limit: limit + pageSize })
  const more = (shown: number, total: number) => shown < total && <button onClick={showMore}>Show more</button>
  return { limit, more }
}

/** `3 entries found`, and how many of them are shown. */
export const foundText = (noun: string, isFiltered: boolean, shown: number, total: number): string => {
  const found = isFiltered ? `${countText(total, noun)} found` : countText(total, noun)
  return shown < total ? `${found}, the newest ${shown} are shown` : found
}

/** Makes a list glide to the new position of its first row instead of jumping there. */
export const useSlide = <List extends HTMLElement>() => {
  const list = useRef<List>(null)
  const before = useRef<HTMLElement | undefined>(undefined)
  useLayoutEffect(() => {
    const first = list.current?.querySelector("li") ?? undefined
    const moved = (before.current?.offsetTop ?? 0) - (first?.offsetTop ?? 0)
    before.current = first
    if (moved <= 0 || matchMedia("(prefers-reduced-motion)").matches) return
    list.current?.animate({ transform: [`translateY(${-moved}px)`, "none"] }, { duration: 300, easing: "ease-out" })
  })
  return list
}
