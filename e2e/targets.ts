import type { Page } from '@playwright/test'

/**
 * The controls that a finger misses (WCAG 2.5.8), by their names: less than 24 px wide or high, and with another control
 * within 24 px of their middle. Words in a sentence are left out, and what the browser draws itself.
 */
export const controlsTooSmall = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const LEAST = 24
    const controls =
      'button, a[href], input:not([type=hidden]), textarea, select, summary, [role=button], [role=tab], [role=option], [role=menuitem], [role=slider]'
    const isShown = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
      !one.closest('[aria-hidden=true], [hidden], [inert]')
    /** A label is pressed in place of what it names. */
    const boxesOf = (one: Element) => {
      const labels = one instanceof HTMLInputElement ? [...(one.labels ?? [])] : []
      // the frame around a field leads into it
      const frame = one.matches('input, textarea') ? one.closest('[class*=-wrapper]') : null
      return [one, ...labels, ...(frame ? [frame] : [])]
        .map(part => part.getBoundingClientRect())
        .filter(box => box.width > 1 && box.height > 1)
    }
    const isInSentence = (one: Element) =>
      getComputedStyle(one).display === 'inline' &&
      [...(one.parentElement?.childNodes ?? [])].some(node => node.nodeType === 3 && node.textContent?.trim())
    const all = [...document.querySelectorAll(controls)]
      .filter(isShown)
      .map(one => ({ one, boxes: boxesOf(one) }))
    const isLarge = (box: DOMRect) => box.width >= LEAST - 0.5 && box.height >= LEAST - 0.5
    const small = all.filter(({ boxes }) => boxes.length > 0 && !boxes.some(isLarge))
    const middle = (box: DOMRect) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
    const away = ({ x, y }: { x: number; y: number }, box: DOMRect) =>
      Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom))
    const isCrowded = (mine: (typeof all)[number]) => {
      const at = middle(mine.boxes[0]!)
      return all.some(other => {
        if (other === mine || other.one.contains(mine.one) || mine.one.contains(other.one)) return false
        const near = other.boxes.some(box => away(at, box) < LEAST / 2)
        const its = other.boxes[0]
        if (!small.includes(other) || !its) return near
        const there = middle(its)
        return near || Math.hypot(at.x - there.x, at.y - there.y) < LEAST
      })
    }
    return small
      .filter(mine => !isInSentence(mine.one) && isCrowded(mine))
      .map(({ one, boxes: [box] }) => {
        const name = one.getAttribute('aria-label') || one.textContent || one.outerHTML.slice(0, 120)
        return `${name.trim()}: ${Math.round(box!.width)} × ${Math.round(box!.height)}`
      })
  })
