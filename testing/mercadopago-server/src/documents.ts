/** Whether the check digits of a CPF, or of a CNPJ with letters or without, are right. Without punctuation. */
export const isDocument = (plain: string): boolean =>
  (/^\d{11}$/.test(plain) && isChecked(plain, CPF)) ||
  (/^[0-9A-Z]{12}\d{2}$/.test(plain) && isChecked(plain, CNPJ))

const CPF = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
const CNPJ = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

function isChecked(plain: string, weights: number[]): boolean {
  const values = [...plain].map(character => character.charCodeAt(0) - 48)
  if (new Set(values).size === 1) return false
  const digit = (end: number) => {
    const fitting = weights.slice(weights.length - end)
    const rest = fitting.reduce((sum, weight, at) => sum + weight * values[at]!, 0) % 11
    return rest < 2 ? 0 : 11 - rest
  }
  return [plain.length - 2, plain.length - 1].every(end => digit(end) === values[end])
}
