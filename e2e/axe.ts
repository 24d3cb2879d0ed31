import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const WCAG = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type RunOnly = NonNullable<RunOptions['runOnly']>

/** WCAG 2.2 AA. */
export const standard: RunOnly = { type: 'tag', values: WCAG }
/** And what axe asks beside it of a whole screen: landmarks, one heading of level 1, an order of headings. */
export const everything: RunOnly = { type: 'tag', values: [...WCAG, 'best-practice'] }
export const contrast: RunOnly = { type: 'rule', values: ['color-contrast'] }

/**
 * What axe finds on a page, or on the part `within` where there is one: what it is and where. It comes to a document
 * once.
 */
export async function lookedAt(page: Page, runOnly: RunOnly, within?: string): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window)
  if (!isThere) await page.evaluate(source)
  const how: RunOptions = { runOnly, resultTypes: ['violations'], iframes: false, preload: false }
  const found: string[] = await page.evaluate(look, { how, within })
  return found
}

/** In the page. */
async function look({ how, within }: { how: RunOptions; within: string | undefined }) {
  const { axe } = window as Window & { axe?: { run(what: object, how: RunOptions): Promise<AxeResults> } }
  const { violations } = await axe!.run((within && document.querySelector(within)) || document, how)
  return violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`,
  )
}
