import { expect, test } from 'vitest'
import { isThanks } from './thanks.rules.ts'

/** Lines as customers end a conversation, and as they begin another, a line each. */
const thanks = {
  pt: `
    Obrigado!
    obrigada 🙏
    Obrigada, Marina!
    Muito obrigada, Deus te abençoe
    muito obrigado pela atenção
    valeu amigo
    valeu demais, irmão
    vlw
    vlw flw
    brigadão
    Obg
    obg pela ajuda
    Obrigada pelo atendimento, vocês são ótimos
    Obrigado a você e a toda a equipe
    Muito obrigado mesmo, resolveu meu problema
    Gratidão
    grata pela informação
    Grato!
    Agradeço a atenção
    Agradeço muito a gentileza
    não, obrigada
    Não precisa, obrigado
    Era só isso mesmo, obrigada
    Só isso, obrigado
    Por enquanto é só, obrigada
    ok obrigado
    Ok
    okk
    Beleza
    blz, valeu
    Perfeito, obrigada
    Perfeito!
    Show de bola, valeu
    Top
    Maravilha, muito obrigada
    Ótimo, obrigado pela rapidez
    Combinado
    combinado, até amanhã
    Certo, obrigada Caio
    Entendi, obrigada
    Tá bom, obrigada
    Tá ótimo, muito obrigado
    Tá certo
    Bom final de semana
    bom final de semana pra vocês também
    Bom fim de semana, Marina!
    Boa semana pra você
    Bom feriado!
    Bom descanso
    Obrigado, bom trabalho
    Obrigada e um ótimo dia
    Obrigada, boa noite
    Boa noite e muito obrigada
    Obrigado, Helena. Abraços!
    Fica com Deus
    Deus abençoe vocês
    Amém, obrigada
    Obrigada querida, beijos
    obrigadaaaa vcs são demais ❤️
    Valeu, tamo junto
    Tmj
    Até mais
    Tchau, obrigada
    Até logo
    Imagina, eu que agradeço
    Eu que agradeço
    Igualmente
    👍
    🙏🙏
    ❤️
    Obrigado pelo retorno
    Obrigada pela paciência comigo
    Recebi aqui, obrigada
    Chegou certinho, obrigada
    Deu certo, obrigado!
    Consegui aqui, obrigada
    Muito obrigada Dra. Paula
    Obrigado, senhor Antônio
    Feliz natal pra vocês
    Feliz ano novo!
    Sucesso pra vocês, obrigado
    Nossa, obrigada mesmo!
    Aí sim, valeu`,
  en: `
    Thanks!
    thank you
    Thank you so much
    thanks a lot, Peter
    Thanks for your help
    thanks for the quick reply
    Thanks for everything, you guys are amazing
    ok thanks
    okay, thank you
    Great, thanks
    Perfect, thank you very much
    Awesome
    Cool, thx
    ty
    tysm
    tks
    cheers mate
    No, thanks
    No thanks, that was all
    That's all, thank you
    That was it, thanks
    Got it, thanks
    Understood, thank you
    It works now, thanks!
    It arrived, thank you
    Thank you, have a nice day
    Have a good one
    Have a great weekend
    Have a nice weekend, Anna
    You too, thanks
    Same to you
    God bless you
    Thanks, God bless
    Bye
    bye, thanks
    See you
    see you tomorrow
    Take care
    Merry Christmas
    Happy new year!
    Much appreciated
    I appreciate it
    Really appreciate your help
    Sounds good, thanks
    All good, thank you
    Lovely, thank you Maria
    Thank you, my friend
    You are the best, thanks
    👌
    Good night and thank you`,
  es: `
    ¡Gracias!
    Muchas gracias
    Muchísimas gracias por todo
    gracias, María
    Gracias por su ayuda
    Gracias por la atención
    gracias por responder tan rápido
    mil gracias
    Ok, gracias
    Vale, gracias
    Vale
    Listo
    Listo, muchas gracias
    Perfecto, gracias
    Genial, gracias
    Excelente, muy amable
    Muy amable
    Entendido, gracias
    De acuerdo, gracias
    Está bien, gracias
    No, gracias
    No gracias, eso era todo
    Eso es todo, gracias
    Ya me llegó, gracias
    Ya funciona, gracias
    Gracias, que tenga buen día
    Buen fin de semana
    Buen finde!
    Gracias, igualmente
    Igualmente
    Que Dios lo bendiga
    Gracias, Dios los bendiga
    Gracias, saludos
    Saludos
    Chau
    chao, gracias
    Adiós
    Hasta luego
    Hasta mañana, gracias
    Se lo agradezco mucho
    Le agradezco su atención
    Agradecido
    Muy agradecida con ustedes
    Feliz navidad
    Feliz año nuevo para todos
    Gracias amigo
    Gracias señora Carmen
    Todo bien, gracias
    Dale, gracias
    🙏 gracias`,
}

const needs = {
  pt: `
    Final de semana vocês funcionam
    vocês trabalham fim de semana
    Obrigada, chegou amassado
    Obrigada, veio vazio
    valeu, parou de funcionar
    valeu, caiu de novo
    Obrigado, sumiu meu pedido
    Obrigado, continuo sem internet
    obrigada posso ir amanhã
    Obrigado, estou esperando pela nota
    Agradeço retorno
    Obrigada, separa um pra mim
    Valeu, reserva pra mim
    Estou aqui na porta, obrigada
    Oi
    Bom dia
    boa tarde
    Boa noite, tudo bem?
    Obrigado, mas ainda não chegou
    Obrigada! E o boleto?
    obrigada, e a segunda via
    Obrigado, quando chega
    obrigado, qual o valor
    Obrigada, me manda o endereço
    valeu, manda a chave pix
    Muito obrigada, preciso de mais uma coisa
    Obrigado, só mais uma dúvida
    obg, tem na cor azul
    Obrigada, queria remarcar para sexta
    Obrigado, quero cancelar
    Obrigada, porém veio errado
    Obrigado pela resposta, mas não resolveu
    não entendi, obrigado
    Ok, mas não funcionou
    Obrigado, continua com erro
    obrigada, fico no aguardo
    Obrigado, aguardo retorno
    Obrigado, pode enviar
    Perfeito, pode mandar
    Obrigada, vocês abrem no sábado
    Obrigado. Onde fica a loja
    Obrigado, 2
    obrigada, às 15h
    Valeu, faltou uma peça
    Obrigada, meu pedido atrasou
    Obrigado, o boleto venceu
    obrigado, gostaria de falar com um atendente
    ok, ajuda
    Não recebi
    não
    sim
    quero
    1
    2
    Não deu certo
    isso não está certo
    obrigada, o produto veio quebrado
    Obrigado, faz entrega em Campinas
    Obrigado, tem desconto à vista
    Obrigada, como faço para pagar
    Obrigado, aceita cartão
    Obrigada, o link não abre
    Valeu, confirma pra mim por favor
    Obrigado, verifica pra mim
    obrigada, outra coisa
    Obrigado, e o prazo
    Obrigada, esqueci de perguntar uma coisa
    Obrigado. Qual o horário de vocês
    obrigado, estou sem internet de novo
    Obrigada, cobraram errado
    Obrigado, podem me ligar
    Obrigada, está com defeito
    obrigado, nunca recebi
    Ok, cadê meu pedido
    Obrigado, será que chega hoje
    Obrigada, quanto fica o frete
    Bom final de semana! Podem entregar na segunda
    Boa semana, preciso da nota fiscal
    Tchau, depois me manda a nota
    Obrigada, é urgente
    Obrigado, vou querer dois
    Obrigada, faltam as cadeiras
    falou que vinha hoje
    Obrigado por nada, péssimo atendimento
    Obrigada, tive um problema
    obrigada, reembolso quando`,
  en: `
    thanks, it stopped working
    I would appreciate an update
    I will see you in court
    Hi
    Hello
    Good morning
    Thanks, but it is still broken
    Thanks, when will it arrive
    Thank you, how much is it
    thanks, can you send me the invoice
    Thanks, could you call me
    Thanks, I need another one
    Thanks, I want to cancel
    Thank you, I would like a refund
    Thanks, one more question
    thanks, and the price of the other one
    Thanks, where is my order
    thanks, it doesn't work
    Thanks, I haven't received it
    thank you, not solved
    ok help
    no
    yes please
    Thanks, please send the address
    thanks, do you have it in blue
    Thanks, are you open on Sunday
    Thanks, is it in stock
    thanks, waiting for your reply
    Thanks, it arrived damaged
    Thank you, something is missing
    Thanks, wrong size
    thanks, 3 of them
    Great, send it
    Great, what time
    Ok, which one
    Thanks, I have a problem
    Thanks, still no answer
    thanks for nothing, I want my money back
    Thank you, who do I talk to
    Bye, call me tomorrow
    Thanks, let me know
    Thanks, any discount`,
  es: `
    gracias, sigo esperando
    Hola
    Buenos días
    Gracias, pero todavía no llega
    Gracias, ¿cuándo llega?
    gracias, cuanto cuesta
    Gracias, necesito la factura
    Gracias, quiero cancelar
    gracias, me puede enviar la dirección
    Gracias, y el precio de la otra silla
    Gracias, una pregunta más
    gracias, otra consulta
    Gracias, no funciona
    Gracias, aún no lo recibo
    Gracias, llegó roto
    gracias, falta una pieza
    Gracias, tienen en azul
    Gracias, hay stock
    Gracias, dónde están
    gracias, a qué hora abren
    Gracias, llámeme por favor
    Gracias, quisiera cambiarlo
    Gracias, tengo un problema
    Gracias, espero su respuesta
    gracias, me cobraron mal
    Vale, ayuda
    no
    sí
    no está listo
    esto no vale
    Listo, mándelo
    Ok, cuál es
    Gracias, es urgente
    gracias por nada, quiero mi dinero
    Gracias, aceptan tarjeta
    Gracias, hacen envíos
    Gracias, el enlace no abre
    gracias, 2 más
    Chau, mañana les escribo por la factura`,
}

const linesOf = (of: Record<string, string>) =>
  Object.values(of).flatMap(lines =>
    lines
      .split('\n')
      .map(line => line.trim())
      .filter(Boolean),
  )

test('of 300 lines in three languages nearly all thanks join a closed ticket, and nearly no need does', () => {
  const [grateful, needy] = [linesOf(thanks), linesOf(needs)]
  expect(grateful.length + needy.length).toBeGreaterThanOrEqual(300)
  const joins = (body: string) => isThanks({ body, mediaType: null })
  const opened = grateful.filter(body => !joins(body))
  const missed = needy.filter(joins)
  expect(opened.length / grateful.length, opened.join('\n')).toBeLessThanOrEqual(0.05)
  expect(missed.length / needy.length, missed.join('\n')).toBeLessThanOrEqual(0.01)
})
