import { bareWords } from './words.rules.ts'

/** The word that stands for all ways in which people ask for no more messages. */
export const USUAL_STOP_WORD = 'SAIR'

/** Longer messages say something else too. */
const MOST_LETTERS = 80

/**
 * Whether a whole message is one of the stop words, ignoring case, accents, punctuation and `por favor`; where SAIR is among them also
 * where it asks for no more messages in other words.
 */
export function isStopWord(text: string, words: string[]): boolean {
  if (text.length > MOST_LETTERS) return false
  const bare = POLITE.reduce((left, word) => left.replace(` ${word} `, ' '), ` ${bareWords(text)} `).trim()
  if (bare === '') return false
  const isListed = words.some(word => bareWords(word) === bare)
  return isListed || (words.some(word => bareWords(word) === 'sair') && WAYS.some(way => way.test(bare)))
}

const POLITE = [
  'por favor',
  'pfv',
  'pf',
  'please',
  'pls',
  'obrigado',
  'obrigada',
  'gracias',
  'thanks',
  'oi',
  'ola',
  'hola',
  'hi',
]

// What people also say of an order, a course or an appointment ("cancelar a inscrição", "não quero mais") is not among them: such a
// message closes a ticket, and it would not be read.
const WAYS = [
  /^(?:sair|pare|parem|stop|unsubscribe|salir|descadastrar|descadastre|descadastro|opt out)$/,
  /^(?:eu )?(?:quero|gostaria de|desejo|quiero|deseo) (?:sair|salir|me descadastrar|descadastrar)(?: (?:da|dessa|desta|de la|de esta) lista)?$/,
  /^(?:sair|salir|(?:quiero )?(?:darme|dar) de baja|denme de baja|deme de baja|me (?:tira|tire|tirem|retire|retirem|remova|removam|exclua)|(?:quitenme|quiteme|saquenme|saqueme|eliminenme|elimineme)) (?:da|dessa|desta|de la|de esta|de su) lista$/,
  /^(?:para|pare|parem) de (?:me )?(?:mandar|enviar|encher|escrever|chamar)(?: (?:isso|mensagem|mensagens|msg|msgs|propaganda|propagandas))?$/,
  /^(?:eu )?(?:ja nao|nao|ya no|no) (?:quero|desejo|queremos|gostaria de|quiero|deseo)(?: mais| mas)? (?:receber|recibir)(?: mais| mas)?(?: (?:isso|nada|mensagem|mensagens|msg|msgs|propaganda|propagandas|promocoes|ofertas|mensajes|publicidad|promociones|essas mensagens|estas mensagens|suas mensagens|estos mensajes|sus mensajes))?$/,
  /^(?:eu )?(?:ja nao|nao|ya no|no) (?:quero|desejo|queremos|quiero|deseo)(?: mais| mas)? (?:mensagem|mensagens|msg|msgs|propaganda|propagandas|promocoes|mensajes|publicidad|promociones)$/,
  /^(?:quero|quiero) (?:parar|dejar) de (?:receber|recibir)(?: (?:isso|mensagem|mensagens|msg|msgs|propaganda|propagandas|mensajes|publicidad))?$/,
  /^(?:nao|no) me (?:mande|mandem|envie|enviem|manden|envien) (?:mais|mas)(?: (?:nada|isso|mensagem|mensagens|msg|msgs|mensajes|propaganda))?$/,
  /^(?:stop|no more) (?:messages|texting me|messaging me|texting|messaging|sending (?:me )?(?:these )?messages)$/,
  /^(?:i want to (?:unsubscribe|opt out)|remove me from (?:the|this|your) list|(?:dont|don t|do not) (?:text|message|write)(?: to)? me(?: (?:anymore|any more))?|(?:dont|don t|do not) send me (?:messages|more messages|any more messages))$/,
]
