import { cut } from './cut.rules.ts'

/** More than this is a message with content of its own. */
const MOST_LETTERS = 80
const MOST_WORDS = 8

/**
 * Whether a message is only thanks or a goodbye, in Portuguese, English or Spanish: it needs no answer, and opens no ticket
 * shortly after one was closed. So are emoji alone, and a sticker. A question, a number, a file or any other word is not.
 */
export function isThanks({ body, mediaType }: { body: string; mediaType: string | null }): boolean {
  if (mediaType === 'sticker') return true
  if (mediaType !== null || body.length > MOST_LETTERS || body.includes('?')) return false
  const words = wordsOf(body)
  if (words.length === 0) return EMOJI.test(body)
  return (
    words.length <= MOST_WORDS &&
    words.every(word => thanks.has(word) || besides.has(word)) &&
    words.some(word => thanks.has(word))
  )
}

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

/** One of these makes a message thanks, a goodbye or an assent. */
const thanks = listed(`
  obrigado obrigada obrigados obrigadas obg obgd obgda obrigadao brigado brigada brigadao grato grata gratidao agradeco agradecido
  agradecida agradecemos valeu vlw flw falou blz beleza ok okay okey oks joia perfeito perfeita otimo otima excelente maravilha show
  top certo certinho combinado entendido entendi tchau ate abraco abracos abs fechado legal massa amem
  thanks thank thx tks ty tnx cheers great perfect awesome cool bye goodbye understood
  gracias grax agradezco agradecido vale perfecto genial excelente chau adios listo entendido dale saludos`)

/** These may stand beside them. */
const besides = listed(`
  muito muita muitos muitas mt mto mta tudo bem de por pela pelo pelas pelos a o as os e um uma nao sim isso era so eh foi ai
  ta esta então entao tambem voce voces vc vcs sr sra senhor senhora moca moco querido querida gente todos todas bom boa dia tarde
  noite fim semana feliz atencao ajuda atendimento gentileza paciencia carinho rapidez retorno resposta informacao informacoes
  suporte logo mais breve amanha deus abencoe aqui meu minha grande forte sempre demais mesmo
  you so much very for the your help a lot all many support it i got have nice good day night evening weekend too no yes that was
  see later again and
  muchas muchos mucha muchisimas mil por la el su tu ayuda atencion todo buen buena buenas dia tarde noche muy si hasta luego
  pronto igualmente usted ustedes amable que tenga tengan lindo y`)
