import PaywallLogic

var session = PaywallSession()
print(session.handle(.restore).count)
