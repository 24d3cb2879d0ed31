import { texts } from '../../platform/text.ts'

export const useBotBarText = texts({
  menu: ['O robô responde', 'The bot answers', 'El robot responde'],
  question: [
    'O robô responde e espera a resposta à pergunta {number}',
    'The bot answers and waits for the answer to question {number}',
    'El robot responde y espera la respuesta a la pregunta {number}',
  ],
  prompt: ['O modelo responde pelo robô', 'The model answers for the bot', 'El modelo responde por el robot'],
  calling: ['O robô consulta outro sistema', 'The bot asks another system', 'El robot consulta otro sistema'],
  quiet: ['O robô está em silêncio', 'The bot is silent', 'El robot está en silencio'],
  file: ['Ver o arquivo', 'See the file', 'Ver el archivo'],
  take: ['Assumir', 'Take over', 'Asumir'],
  giveBack: ['Devolver ao robô', 'Give back to the bot', 'Devolver al robot'],
  givenBack: ['Devolvido ao robô', 'Given back to the bot', 'Devuelto al robot'],
})
