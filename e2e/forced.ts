import type { Page } from '@playwright/test'

/** In forced colours: what is chosen and looks like what is not beside it, by its name. */
export const choicesUnseen = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const chosen =
      '[aria-selected=true], [aria-pressed=true], [aria-checked=true], [aria-current]:not([aria-current=false]), [data-unread]:not(p), input[type=radio]:checked'
    const shownOf = (one: Element) => (one instanceof HTMLInputElement ? (one.closest('label') ?? one) : one)
    const lookOf = (one: Element) => {
      const parts = [one, ...one.querySelectorAll('*')].filter(part => part.checkVisibility())
      const marks = parts.map(part => {
        const { backgroundColor, color, borderColor, borderWidth, outlineStyle, outlineWidth, fontWeight } =
          getComputedStyle(part)
        return [
          backgroundColor,
          color,
          borderColor,
          borderWidth,
          outlineStyle,
          outlineWidth,
          fontWeight,
        ].join()
      })
      return [...new Set(marks)].sort().join('|')
    }
    const plain = (one: Element, of: Element) => {
      const siblings = [
        ...(of
          .closest(
            '[role=tablist], [role=radiogroup], [role=listbox], [role=group], ul, ol, nav, header, div',
          )
          ?.querySelectorAll(one.tagName) ?? []),
      ]
      return siblings.find(
        other =>
          other !== one &&
          !other.contains(one) &&
          !one.contains(other) &&
          !other.matches(chosen) &&
          !other.querySelector(chosen) &&
          other.checkVisibility(),
      )
    }
    return [...document.querySelectorAll(chosen)].flatMap(one => {
      const mine = shownOf(one)
      const other = plain(mine, mine.parentElement!)
      if (!mine.checkVisibility() || !other || lookOf(mine) !== lookOf(other)) return []
      return [`${mine.getAttribute('aria-label') ?? mine.textContent}: ${mine.outerHTML.slice(0, 160)}`]
    })
  })
