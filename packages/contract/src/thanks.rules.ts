import { cut } from './cut.rules.ts'

/** More than this is a message with content of its own. */
const MOST_LETTERS = 80
const MOST_WORDS = 8

/**
 * Whether a message is only thanks or a goodbye, in Portuguese, English or Spanish: it needs no answer, and opens no ticket
 * shortly after one was closed. So are emoji alone, and a sticker. A question, a number, a file or any other word is not, nor
 * is a denial (`não entendi`) or a need (`ok, ajuda`) without a word of thanks: in doubt a ticket is opened.
 */
export function isThanks({ body, mediaType }: { body: string; mediaType: string | null }): boolean {
  if (mediaType === 'sticker') return true
  if (mediaType !== null || body.length > MOST_LETTERS || QUESTION.test(body)) return false
  const words = wordsOf(body)
  if (words.length === 0) return EMOJI.test(body)
  if (words.length > MOST_WORDS || /\bmais uma?\b/.test(words.join(' '))) return false
  const grateful = words.some(word => thanks.has(word))
  return (
    words.every(
      word =>
        thanks.has(word) || assents.has(word) || besides.has(word) || (grateful && besideThanks.has(word)),
    ) && words.some(word => thanks.has(word) || assents.has(word))
  )
}

const QUESTION = /[?¿？⁇⁈⁉❓❔]/u

/** Lower case, without accents, punctuation and emoji; `obrigadaaa` and `vlww` count as written once. */
const wordsOf = (body: string) =>
  (
    cut(body, MOST_LETTERS)
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map(word => word.replace(/(.)\1+$/u, '$1'))

const EMOJI = /\p{Extended_Pictographic}/u

const listed = (words: string) => new Set(words.split(/\s+/).map(word => word.replace(/(.)\1+$/u, '$1')))

/** One of these makes a message thanks. */
const thanks = listed(`
  obrigado obrigada obrigados obrigadas obg obgd obgda obrigadao brigado brigada brigadao grato grata gratidao agradeco agradecido
  agradecida agradecemos valeu vlw flw
  thanks thank thx tks ty tnx cheers
  gracias grax agradezco agradecido`)

/** Or one of these, an assent or a goodbye. */
const assents = listed(`
  falou blz beleza ok okay okey oks joia perfeito perfeita otimo otima excelente maravilha show top certo certinho combinado
  entendido entendi tchau ate abraco abracos abs fechado legal massa amem
  great perfect awesome cool bye goodbye understood
  vale perfecto genial excelente chau adios listo entendido dale saludos`)

/** These may stand beside them. */
const besides = listed(`
  muito muita muitos muitas mt mto mta tudo bem de por pela pelo pelas pelos a o as os e um uma sim isso era so eh ai
  ta então entao tambem voce voces vc vcs sr sra senhor senhora moca moco querido querida gente todos todas bom boa dia tarde
  noite fim semana feliz logo mais breve amanha deus abencoe meu minha grande forte sempre demais mesmo
  you so much very for the your a lot all many it i got nice good day night evening weekend too yes that was
  see later again and
  muchas muchos mucha muchisimas mil la el su tu todo buen buena buenas dia tarde noche muy si hasta luego
  pronto igualmente usted ustedes amable tenga tengan lindo y`)

/** These only beside thanks: after an assent they deny it, or name what the customer still needs. */
const besideThanks = listed(`
  nao foi esta aqui que atencao ajuda atendimento gentileza paciencia carinho rapidez retorno resposta informacao informacoes suporte
  no help support have
  ayuda atencion`)
