import type { Page } from '@playwright/test'

/** Of offices, laptops, tablets and phones; 640 and 320 are also what 1280 shows at 200 % and 400 %. */
export const widths = [320, 360, 375, 390, 640, 768, 900, 1280, 1366, 1440, 1920]

/** The controls that do not lie inside the pane they belong to, by their names; what scrolls sideways may hold more. */
export const controlsOutside = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const panes = 'section, header, form, fieldset, aside, main, nav, [role=dialog], body'
    const isShown = (one: Element) =>
      one.checkVisibility({ visibilityProperty: true }) &&
      !one.closest('[aria-hidden=true], .sr-only, [hidden]')
    const paneOf = (one: Element) => {
      for (let pane = one.parentElement; pane; pane = pane.parentElement) {
        if (/auto|scroll/.test(getComputedStyle(pane).overflowX)) return null
        if (pane.matches(panes)) return pane
      }
      return null
    }
    const outside = () =>
      [...document.querySelectorAll('button, a[href], input, textarea, select, [role=tab]')].filter(one => {
        const pane = isShown(one) && paneOf(one)
        if (!pane) return false
        const [box, frame] = [one.getBoundingClientRect(), pane.getBoundingClientRect()]
        return box.width > 1 && (box.right > frame.right + 1 || box.left < frame.left - 1)
      })
    // the screen follows its new size some frames later
    const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    let found = outside()
    for (let tries = 0; tries === 0 || (found.length > 0 && tries < 30); tries++) {
      await drawn()
      found = outside()
    }
    return found.map(one => one.getAttribute('aria-label') ?? one.textContent ?? one.outerHTML.slice(0, 80))
  })

/** Elements wider than their box; intentional horizontal scrolling is marked by its role. */
export const overflowOn = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const wideOnes = () =>
      [document.documentElement, ...document.body.querySelectorAll('*')].filter(
        box =>
          box.scrollWidth > box.clientWidth + 1 &&
          box.checkVisibility() &&
          (box === document.documentElement || /auto|scroll/.test(getComputedStyle(box).overflowX)) &&
          !box.matches('[role=tablist], [role=region][tabindex], pre, textarea'),
      )
    // the screen follows its new size some frames later, on a busy machine many
    const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
    let wide = wideOnes()
    for (let tries = 0; tries === 0 || (wide.length > 0 && tries < 60); tries++) {
      await drawn()
      wide = wideOnes()
    }
    return wide.map(
      box => `${box.scrollWidth} wide: ${box.outerHTML.slice(0, box.outerHTML.indexOf('>') + 1)}`,
    )
  })
