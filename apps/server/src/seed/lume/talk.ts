import type { Customer } from './customers.ts'
import type { Dice } from './dice.ts'
import { fillings, type Sector, type Talk } from './talks.ts'

const SECOND = 1_000

export interface DemoMessage {
  fromMe: boolean
  /** Sent by the company, not by one of its users. */
  byCompany: boolean
  body: string
  /** Milliseconds after the first words. */
  after: number
}

interface Course {
  customer: Customer
  attendant: string
  /** The company asks for the sector before an attendant accepts. */
  menu: boolean
  /** The company writes first. */
  outgoing: boolean
}

const sectors: Sector[] = ['Financeiro', 'Vendas', 'Suporte']
const choices = sectors.map((sector, place) => `[ ${place + 1} ] ${sector}`).join('\n')

/** All messages of one conversation, with the pauses people make. */
export function course(
  dice: Dice,
  talk: Talk,
  { customer, attendant, menu, outgoing }: Course,
): DemoMessage[] {
  const words = new Map<string, string>([
    ['nome', shortName(customer.name)],
    ['atendente', attendant.split(' ')[0]!],
    ['pedido', String(dice.between(10_200, 48_900))],
  ])
  const filled = (body: string) => body.replace(/\{(\w+)\}/g, (_, word: string) => wordFor(dice, words, word))
  const lines = [...talk.lines]
  if (outgoing) lines.unshift({ fromMe: true, body: hello })
  const sentLines = lines.map(line => ({ ...line, byCompany: false, body: filled(line.body) }))
  if (menu && !outgoing) sentLines.splice(1, 0, ...menuOf(talk.sector))
  let after = 0
  return sentLines.map((line, place) => {
    if (place > 0) after += pause(dice, sentLines[place - 1]!, line)
    return { ...line, after }
  })
}

const hello =
  'Oi, {nome}! Aqui é {atendente}, da Lume Móveis. Seu pedido {pedido} chegou à loja 🚚 Podemos combinar a entrega?'

const menuOf = (sector: Sector) => [
  {
    fromMe: true,
    byCompany: true,
    body: `Olá! Aqui é da Lume Móveis.\nDigite o número do setor:\n${choices}`,
  },
  { fromMe: false, byCompany: false, body: String(sectors.indexOf(sector) + 1) },
  { fromMe: true, byCompany: true, body: `Você está no setor ${sector}. Já vamos atender.` },
]

/** A second colour or day in one conversation is called cor2, dia2: it differs from the first. */
function wordFor(dice: Dice, words: Map<string, string>, word: string): string {
  const known = words.get(word)
  if (known) return known
  const options = fillings[word.replace(/\d$/, '')] ?? []
  const chosen = dice.pick(options.filter(option => ![...words.values()].includes(option)))
  words.set(word, chosen)
  return chosen
}

function pause(dice: Dice, before: { fromMe: boolean }, line: { fromMe: boolean; byCompany: boolean }) {
  if (line.byCompany) return SECOND
  if (before.fromMe === line.fromMe) return dice.between(8, 90) * SECOND
  return line.fromMe ? dice.between(100, 1_500) * SECOND : dice.between(20, 540) * SECOND
}

/** What an attendant would call somebody. */
function shortName(name: string) {
  if (/^(Construtora|Escritório|Hotel|Condomínio|Cafeteria)/.test(name)) return 'pessoal'
  const words = name.split(' ')
  return words.slice(0, /^(Dona|Seu|Tia|Zé|Ana|João)$/.test(words[0]!) ? 2 : 1).join(' ')
}
