import { cut, withoutLast } from './cut.rules.ts'

/** More than this is a message with content of its own. */
const MOST_LETTERS = 100
const MOST_WORDS = 14

/**
 * Whether a message is only thanks or a goodbye, in Portuguese, English or Spanish: it needs no answer, and opens no ticket
 * shortly after one was closed. So are emoji alone, and a sticker. With a word of thanks or a wish, only a question, a digit, a
 * denial or a need opens one, and names may follow; an assent (`ok`, `perfeito`) may stand only beside words that add nothing.
 */
export function isThanks({ body, mediaType }: { body: string; mediaType: string | null }): boolean {
  if (mediaType === 'sticker') return true
  if (mediaType !== null || body.length > MOST_LETTERS || QUESTION.test(body) || /\p{N}/u.test(body))
    return false
  const words = wordsOf(body)
  if (words.length === 0) return EMOJI.test(body)
  if (words.length > MOST_WORDS) return false
  if (words.some(word => thanks.has(word)) || holdsAny(words, wishes)) return !needsAnswer(words)
  return words.some(word => assents.has(word)) && words.every(word => assents.has(word) || besides.has(word))
}

/** A denial or a need, unless it is what one is thankful for (`pela ajuda`), or politely declines (`não, obrigada`). */
function needsAnswer(words: string[]): boolean {
  const said = withoutPhrases(withoutObjects(words), harmless)
  const declines =
    said[0] !== undefined && denials.has(said[0]) && said[1] !== undefined && thanks.has(said[1])
  const rest = declines ? said.slice(1) : said
  return rest.some(word => denials.has(word) || needs.has(word)) || holdsAny(rest, needful)
}

/** What follows `por` and `for`, with its articles. */
function withoutObjects(words: string[]): string[] {
  const said: string[] = []
  for (let at = 0; at < words.length; at++) {
    const isFor = governing.has(words[at]!) && !unthankful.has(words[at + 1] ?? '')
    if (!isFor) said.push(words[at]!)
    else
      do at++
      while (articles.has(words[at] ?? ''))
  }
  return said
}

function withoutPhrases(words: string[], phrases: string[]): string[] {
  const text = phrases.reduce((left, phrase) => left.replace(phrase, ' '), ` ${words.join(' ')} `)
  return text.split(' ').filter(Boolean)
}

const holdsAny = (words: string[], phrases: string[]) => {
  const text = ` ${words.join(' ')} `
  return phrases.some(phrase => text.includes(phrase))
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
  ).map(onceAtEnd)

/** The last letter of a word once, however often it is repeated. */
function onceAtEnd(word: string) {
  const last = word.at(-1) ?? ''
  return withoutLast(word, last) + last
}

const EMOJI = /\p{Extended_Pictographic}/u

const listed = (words: string) => new Set(words.trim().split(/\s+/).map(onceAtEnd))

/** Phrases, a line each, as they stand within a text. */
const phrases = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map(line => ` ${[...line.trim().split(' ')].map(onceAtEnd).join(' ')} `)

/** One of these makes a message thanks. */
const thanks = listed(`
  obrigado obrigada obrigados obrigadas obg obgd obgda obrigadao brigado brigada brigadao grato grata gratidao agradeco agradecido
  agradecida agradecemos valeu vlw flw
  thanks thank thx tks ty tysm tnx cheers appreciate appreciated
  gracias grax agradezco agradecido agradecida agradecemos`)

/** Or one of these. */
const wishes = phrases(`
  bom fim de semana
  bom final de semana
  otimo fim de semana
  otimo final de semana
  excelente fim de semana
  excelente final de semana
  lindo fim de semana
  lindo final de semana
  feliz fim de semana
  feliz final de semana
  bom feriado
  bom descanso
  bom trabalho
  boa semana
  boas festas
  feliz natal
  feliz ano
  feliz pascoa
  deus abencoe
  deus te abencoe
  deus lhe abencoe
  deus os abencoe
  com deus
  god bless
  good weekend
  great weekend
  nice weekend
  have a good
  have a nice
  have a great
  have a lovely
  take care
  see you soon
  see you later
  see you tomorrow
  see you then
  same to you
  you too
  merry christmas
  happy new year
  happy holidays
  buen fin de semana
  lindo fin de semana
  feliz fin de semana
  buen finde
  buen descanso
  feliz navidad
  felices fiestas
  dios lo bendiga
  dios la bendiga
  dios te bendiga
  dios le bendiga
  dios los bendiga
  dios las bendiga
  hasta luego
  hasta pronto
  hasta manana`)

/** An assent or a goodbye. */
const assents = listed(`
  falou blz beleza ok okay okey oks joia perfeito perfeita otimo otima excelente maravilha show top certo certinho combinado
  entendido entendi tchau ate abraco abracos abs fechado legal massa amem tmj igualmente
  great perfect awesome cool bye goodbye understood
  vale perfecto genial excelente chau chao adios listo entendido dale saludos amable acuerdo`)

/** These may stand beside them. */
const besides = listed(`
  muito muita muitos muitas mt mto mta tudo bem de por pela pelo pelas pelos a o as os e um uma sim isso era so eh ai
  ta então entao tambem voce voces vc vcs sr sra senhor senhora moca moco querido querida gente todos todas bom boa dia tarde
  noite fim semana feliz logo mais breve amanha deus abencoe meu minha grande forte sempre demais mesmo bola
  you so much very for the your a lot all many it i got nice good day night evening weekend too yes that was
  see later again and tomorrow
  muchas muchos mucha muchisimas mil la el su tu todo buen buena buenas dia tarde noche muy si hasta luego
  pronto usted ustedes tenga tengan lindo y esta bien`)

/** After one of these stands what somebody is thankful for, with these before it. */
const governing = listed('por pelo pela pelos pelas for')
const articles = listed(
  'a o as os sua seu suas seus toda todo tudo me the your all la el los las su sus tu tus vuestra',
)
const unthankful = listed('nada favor nothing que')

/** What one also says who needs nothing. */
const harmless = phrases(`
  nao precisa
  nao precisa mais
  nao foi nada
  nao tem de que
  nao tem problema
  sem problema
  sem problemas
  sem mais
  como sempre
  resolveu meu problema
  resolveu o problema
  resolveu o meu problema
  resolveram meu problema
  tirou minha duvida
  tirou minhas duvidas
  your help
  su ayuda
  no need
  no problem
  no worries
  no hay de que
  no hay problema
  ya funciona
  agora funciona
  buenas tarde
  buena tarde
  e a toda
  e a todos
  e a todas
  e a equipe
  e a sua
  e a voces
  e a voce
  y a todos
  y a todo`)

const denials = listed(`
  nao nunca nem
  no not never don dont doesn didn isn aren wasn haven hasn won couldn cant nothing
  ni tampoco jamas`)

/** What a customer who wants something says. */
const needs = listed(`
  mas porem contudo entretanto ainda cade quando quanto quanta quantos quantas onde qual quais quem porque como
  preciso precisamos precisava precisando necessito quero queremos queria querer gostaria ajuda ajude ajudem ajudar
  pode podem poderia poderiam podemos consegue conseguem manda mandar mande mandem envia enviar envie enviem passa passe
  liga ligar ligue liguem ligarem confirma confirme confirmar verifica verifique verificar verifiquem veja vejam avisa avise
  falta faltam faltou faltaram faltando duvida duvidas pergunta perguntar problema problemas erro errado errada errados erradas
  defeito quebrado quebrada quebrou quebrados estragado estragada pior pessimo pessima horrivel absurdo reclamar reclamacao
  cancelar cancela cancelamento trocar troca devolver devolucao reembolso estorno atrasou atrasado atrasada atraso atrasada
  aguardo aguardando urgente boleto fatura nota pix frete prazo preco valor desconto endereco link via orcamento
  remarcar marcar agendar venceu cobraram cobrado cobrada cobranca tem aceita aceitam faz fazem abrem abre fecham outra outro
  outras outros favor esqueci continua dinheiro posso podemos sem esperando espero continuo retorno retorna retornem resposta
  responde responda respondam reserva reserve separa separe segura segure fecha sumiu caiu parou travou amassado amassada vazio
  vazia incompleto incompleta duplicado duplicada vencido vencida ninguem chama chame chamem porta funcionam funciona trabalham
  atendem entregam olha olhem demora
  but still however yet when where what which who how why can could need want please pls send call tell give another other
  late stopped empty update callback nobody court
  question problem issue wrong broken damaged missing cancel refund return exchange waiting any money help unless
  pero aun todavia cuando cuanto cuanta cuantos cuantas donde cual cuales quien necesito necesitamos necesitaba quiero
  queremos quisiera puede pueden podria podrian puedes ayuda ayude mande manden mandelo mandeme envie envien envieme enviarme
  llame llamen llameme llamar faltan falto pregunta consulta duda error mal roto rota rotos danado danada
  cambiar cambiarlo cambio devolver factura precio direccion envio envios tarjeta stock tienen tiene aceptan hacen
  hay abren enlace hora dinero nadie respuesta sigo tarde frio`)

const needful = phrases(`
  mais uma
  mais um
  e o
  e os
  e a
  e as
  e se
  sera que
  tive um
  estou sem
  estamos sem
  obrigado por nada
  obrigada por nada
  one more
  would like
  let me know
  do you
  are you
  is it
  is there
  and the
  una mas
  uno mas
  y el
  y la
  y los
  y las
  y si
  por que
  a que
  gracias por nada
  espero su
  espero respuesta
  espero la`)
