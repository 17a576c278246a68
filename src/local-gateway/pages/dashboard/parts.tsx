/**
 * Parts that several pages have.
 */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks"
import { ownMember } from "../../../contract/OwnMember.js"
import { change } from "./api.js"
import type { PaymentView } from "./controlResponses.js"
import { countText, statusClass } from "./format.js"
import { filterBy, place } from "./place.js"
import { act, catalogue, timeText } from "./state.js"

/** A time, with its full form to be seen on pointing at it. */
export const Time = ({ at, precise = false }: { readonly at: string; readonly precise?: boolean }) => (
  <time dateTime={at} title={at}>
    {timeText(at, precise)}
  </time>
)

/** A payment's state, coloured to match. */
export const Chip = ({ state }: { readonly state: string }) => (
  <span class="chip" data-state={state}>
    {state.replaceAll("_", " ")}
  </span>
)

/** The status of a response. */
export const Status = ({ status }: { readonly status: number }) => (
  <span class="status" data-status={statusClass(status)}>
    {status === 0 ? catalogue().log.noResponse : status}
  </span>
)

/** A readable name for a payment. */
export const orderName = ({ id, payment: { order_number = "" } }: PaymentView): string =>
  order_number === "" ? `Payment ${id}` : order_number

/** A link to a payment. */
export const PaymentLink = ({ id }: { readonly id: number }) => (
  <a href={`#/payments/${id}`} class="id">
    {id}
  </a>
)

const standings: { readonly [name: string]: string } = {
  told: "The shop was notified of this state.",
  waiting: "The shop is notified next.",
  failing: "The shop was not reached.",
  noAddress: "There is no one to notify: the order has no notification address."
}

/** Whether the shop knows the state of a payment, as a dot. */
export const Dot = ({ notified }: { readonly notified: string | undefined }) => {
  const meaning = ownMember(standings, notified ?? "")
  return meaning === undefined ? null : (
    <span class="dot" data-notified={notified} role="img" aria-label={meaning} title={meaning} />
  )
}

interface ButtonProps {
  /** What it does; it is announced how that went. */
  readonly action: () => Promise<string>
  readonly children: ComponentChildren
  readonly id?: string
  readonly class?: string
  readonly label?: string
  readonly title?: string
  readonly disabled?: boolean
}

/** A button that does something. While that goes on, it does nothing more. */
export const Button = ({ action, children, class: style, disabled = false, id, label, title }: ButtonProps) => {
  const isBusy = useSignal(false)
  const press = async () => {
    if (isBusy.value) return
    isBusy.value = true
    await act(action)
    isBusy.value = false
  }
  return (
    <button
      type="button"
      class={style}
      data-testid={id}
      aria-label={label}
      title={title}
      disabled={disabled}
      aria-disabled={isBusy.value ? true : undefined}
      onClick={() => void press()}
    >
      {children}
    </button>
  )
}

interface CopyProps {
  readonly text: () => string | Promise<string>
  /** What is announced. */
  readonly done: string
  readonly children: ComponentChildren
  readonly id?: string
  readonly label?: string
  readonly class?: string
}

/** A button that copies. Browsers offer the clipboard only on the loopback interface and over https. */
export const Copy = ({ done, text, ...button }: CopyProps) =>
  window.isSecureContext ? (
    <Button
      class="small"
      {...button}
      action={async () => {
        await navigator.clipboard.writeText(await text())
        return done
      }}
    />
  ) : null

/** Names and values. A value that is `undefined` is left out with its name. */
export const Facts = ({ pairs }: { readonly pairs: ReadonlyArray<readonly [string, ComponentChildren]> }) => (
  <dl class="facts">
    {pairs.map(([name, value]) =>
      value === undefined ? null : (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      )
    )}
  </dl>
)

/** A titled text that scrolls. */
export const Block = ({ text, title }: { readonly title: string; readonly text: string }) =>
  text === "" ? null : (
    <>
      <p class="block">{title}</p>
      <pre tabIndex={0} aria-label={title}>
        {text}
      </pre>
    </>
  )

/** The options of a choice. */
export type Options = ReadonlyArray<readonly [value: string, label: string]>

interface ChoiceProps {
  readonly id?: string
  readonly "aria-label"?: string
  readonly "aria-describedby"?: string
  readonly "aria-invalid"?: boolean
  readonly "data-testid"?: string
  readonly options: Options
  readonly value: string
  readonly onPick: (value: string) => void
}

/** A choice of several values. */
export const Choice = ({ onPick, options, value, ...rest }: ChoiceProps) => (
  <select {...rest} value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
    {options.map(([option, label]) => (
      <option key={option} value={option}>
        {label}
      </option>
    ))}
  </select>
)

/** A field with its name before it. */
export const Field = ({ children, name }: { readonly name: string; readonly children: ComponentChildren }) => (
  <label class="field">
    <span>{name}</span>
    {children}
  </label>
)

/** A choice with its name before it. */
export const Pick = ({ label, ...choice }: { readonly label: string } & ChoiceProps) => (
  <Field name={label}>
    <Choice {...choice} />
  </Field>
)

interface TextProps {
  readonly value: string
  readonly onType: (text: string) => void
  /** Other attributes of the field. */
  readonly more?: object
}

/** A field for a text. */
export const Text = ({ more = {}, onType, value }: TextProps) => (
  <input
    type="text"
    autocomplete="off"
    spellcheck={false}
    {...more}
    value={value}
    onInput={({ currentTarget }) => onType(currentTarget.value)}
  />
)

interface FinderProps {
  readonly label: string
  readonly id: string
  /** A code and its meaning, of which either is typed. */
  readonly options: Options
  readonly value: string
  readonly onPick: (code: string) => void
}

/** A choice of many, found by typing a part of a name. What is typed first of an option is its code. */
export const Finder = ({ id, label, onPick, options, value }: FinderProps) => {
  const list = useId()
  const pick = (typed: string) => {
    const wanted = typed.trim().toLowerCase()
    const found =
      options.find(
        ([code, meaning]) => wanted === code.toLowerCase() || wanted === `${code} ${meaning}`.toLowerCase()
      ) ?? options.find(([code, meaning]) => wanted !== "" && `${code} ${meaning}`.toLowerCase().includes(wanted))
    if (found !== undefined) onPick(found[0])
  }
  const shown = options.find(([code]) => code === value)
  return (
    <>
      <input
        type="text"
        list={list}
        data-testid={id}
        aria-label={label}
        autocomplete="off"
        spellcheck={false}
        value={shown === undefined ? value : shown.join(" ")}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => pick(currentTarget.value)}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option[0]} value={option.join(" ")} />
        ))}
      </datalist>
    </>
  )
}

interface FilterFieldProps {
  /** The name of the filter in the address. */
  readonly name: string
  readonly type?: "text" | "search"
  readonly maxLength?: number
  readonly size?: number
  readonly inputMode?: "numeric"
  readonly placeholder?: string
  readonly title?: string
  readonly "aria-label"?: string
}

/** The attributes of a field of a type, of which Preact has declarations of each alone. */
export const ofType = (type: "date" | "number" | "search" | "text" | "url"): object => ({ type })

/** A text that filters. It stands in the address without the space at its ends. */
export const FilterField = ({ name, type = "text", ...rest }: FilterFieldProps) => {
  const wanted = ownMember(place.value.search, name) ?? ""
  const typed = useSignal(wanted)
  const value = typed.value.trim() === wanted.trim() ? typed.value : wanted
  return (
    <input
      autocomplete="off"
      spellcheck={false}
      {...rest}
      {...ofType(type)}
      value={value}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value
        filterBy({ [name]: currentTarget.value.trim() })
      }}
    />
  )
}

interface ToggleProps {
  readonly id?: string
  readonly label: string
  readonly count?: number
  readonly state?: string
  readonly isChosen: boolean
  readonly choose: () => void
}

/** A filter that is chosen or not. */
export const Toggle = ({ choose, count, id, isChosen, label, state }: ToggleProps) => (
  <button type="button" class="filter" data-testid={id} data-state={state} aria-pressed={isChosen} onClick={choose}>
    {label}
    {count === undefined ? null : <span class="count">{count}</span>}
  </button>
)

/** The widest panel of a menu, in pixels; `DashboardStyle.ts` has the same. */
const widest = 480

/** Between a menu's panel, its button and the edges of the window. */
const gap = 6

const placeBelow = (panel: HTMLElement, { bottom, left, right }: DOMRect): void => {
  const isLeft = left + widest + gap <= innerWidth
  panel.style.top = `${bottom + gap}px`
  panel.style.maxHeight = `calc(100vh - ${bottom + 2 * gap}px)`
  panel.style.left = isLeft ? `${left}px` : "auto"
  panel.style.right = isLeft ? "auto" : `${Math.max(gap, Math.min(innerWidth - right, innerWidth - widest - gap))}px`
}

interface MenuProps {
  /** Of the panel. The button's `data-testid` is it with `-menu`. */
  readonly id: string
  readonly label: string
  readonly children: ComponentChildren
  readonly onToggle?: (isOpen: boolean) => void
}

/** A button that opens a panel below itself. The browser closes it by Escape, and by a click elsewhere. */
export const Menu = ({ children, id, label, onToggle }: MenuProps) => {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button ref={button} type="button" class="menu-button" popovertarget={id} data-testid={`${id}-menu`}>
        {label}
      </button>
      <div
        id={id}
        class="menu"
        popover="auto"
        role="group"
        aria-label={label}
        onBeforeToggle={(event) => {
          if (button.current !== null) placeBelow(event.currentTarget, button.current.getBoundingClientRect())
          onToggle?.(event.newState === "open")
        }}
      >
        {children}
      </div>
    </>
  )
}

interface TableProps {
  readonly caption: string
  readonly heads?: ReadonlyArray<string>
  readonly rows: ReadonlyArray<{ readonly key: string | number; readonly cells: ReadonlyArray<ComponentChildren> }>
}

/** A table that scrolls where it is wider than the page. */
export const Table = ({ caption, heads, rows }: TableProps) => (
  <div class="wide" tabIndex={0} role="group" aria-label={caption}>
    <table>
      {heads === undefined ? null : (
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(({ cells, key }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={index}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** The button that shows more of a list of which a part is shown. */
export const More = ({
  more,
  shown,
  total
}: {
  readonly shown: number
  readonly total: number
  readonly more: () => void
}) =>
  shown >= total ? null : (
    <button type="button" onClick={more}>
      Show more
    </button>
  )

/** How long a list takes to make place for what is new. */
const slideMillis = 300

/** Has a list glide to where its first row has got, instead of jumping there. */
export const useSlide = <List extends HTMLElement>() => {
  const list = useRef<List>(null)
  const before = useRef<{ readonly row: Element; readonly top: number } | undefined>(undefined)
  useLayoutEffect(() => {
    const { current } = list
    const last = before.current
    if (current !== null && last?.row.isConnected === true && !matchMedia("(prefers-reduced-motion)").matches) {
      const moved = last.row.getBoundingClientRect().top - current.getBoundingClientRect().top - last.top
      if (moved > 0) {
        const frames = [{ transform: `translateY(${-moved}px)` }, { transform: "none" }]
        current.animate(frames, { duration: slideMillis, easing: "ease-out" })
      }
    }
    const row = current?.firstElementChild
    before.current =
      current === null || !row
        ? undefined
        : { row, top: row.getBoundingClientRect().top - current.getBoundingClientRect().top }
  })
  return list
}

/** Asks before something that cannot be undone. */
export const Question = ({
  onAnswer,
  question,
  yes
}: {
  readonly question: string
  readonly yes: string
  readonly onAnswer: (isYes: boolean) => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      aria-label={question}
      onClose={({ currentTarget }) => onAnswer(currentTarget.returnValue === "yes")}
    >
      <form method="dialog">
        <p>{question}</p>
        <div class="group">
          <button type="submit" value="no" autofocus>
            Cancel
          </button>
          <button type="submit" value="yes" class="danger">
            {yes}
          </button>
        </div>
      </form>
    </dialog>
  )
}

/** Delivers all pending notifications. */
export const deliverNow = async (): Promise<string> => {
  await change("/deliver-notifications")
  return "Every notification has been accepted or given up."
}

/** `3 entries found`, and how many of them are shown. */
export const foundText = (
  noun: string,
  {
    isFiltered,
    shown,
    total
  }: {
    readonly shown: number
    readonly total: number
    readonly isFiltered: boolean
  }
): string => {
  const found = isFiltered ? `${countText(total, noun)} found` : countText(total, noun)
  return shown < total ? `${found}, the newest ${shown} are shown` : found
}

/** Moves the focus when what had it is taken away: to the nearest part around it that is still there. */
export const keepFocus = (): void => {
  let around: ReadonlyArray<HTMLElement> = []
  addEventListener("focusin", ({ target }) => {
    const chain: Array<HTMLElement> = []
    for (let one = target; one instanceof HTMLElement && one !== document.body; one = one.parentElement) chain.push(one)
    around = chain
  })
  const look = () => {
    const [focused] = around
    if (focused === undefined || focused.isConnected || document.activeElement !== document.body) return
    const left = around.find((one) => one.isConnected)
    if (left === undefined || left.id === "app") return
    if (left.tabIndex < 0 && !left.hasAttribute("tabindex")) left.tabIndex = -1
    left.focus({ preventScroll: true })
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
}
