import { bareWords } from './words.rules.ts'

/** More than this is no score. */
const MOST_LETTERS = 60
const STARS = /^(?:⭐|🌟|★)+$/u

/**
 * The score that a text is: a digit from 1 to 5 (`5`, `5️⃣`, `nota 5`, `5 estrelas`, `5 - Ótimo`), one of the five words of the
 * survey, or so many stars; null for any other text.
 */
export function scoreOf(body: string, words: string[]): number | null {
  if (body.length > MOST_LETTERS) return null
  const text = body.trim().replace(/[\uFE0F\u20E3]/gu, '')
  if (STARS.test(text)) {
    const stars = [...text].length
    return stars <= 5 ? stars : null
  }
  const said = bareWords(text)
  const named = words.findIndex(word => bareWords(word) === said)
  if (said !== '' && named >= 0) return named + 1
  const [, digit, rest = ''] = /^(?:nota |note |score )?([1-5])(?: (.+))?$/.exec(said) ?? []
  if (!digit || /[-+−]\s*[1-5]/u.test(text)) return null
  const score = Number(digit)
  const isName = rest === '' || UNITS.has(rest) || bareWords(words[score - 1] ?? '') === rest
  return isName ? score : null
}

const UNITS = new Set(['estrela', 'estrelas', 'star', 'stars', 'estrella', 'estrellas', 'de 5'])

/** The score that a tapped choice of a survey brings back, and of which survey it is. */
export function tappedScore(tapId: string | undefined): { surveyId: number; score: number } | null {
  const [, surveyId, score] = /^survey:(\d{1,9}):([1-5])$/.exec(tapId ?? '') ?? []
  return surveyId ? { surveyId: Number(surveyId), score: Number(score) } : null
}

export const tapIdOf = (surveyId: number, score: number): string => `survey:${surveyId}:${score}`
